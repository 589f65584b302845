import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  statSync,
  fstatSync,
  openSync,
  readSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreError } from './database.ts';

/** Returns why a file cannot be opened or created at a path; undefined if it can. Creates nothing. */
export function findPathProblem(path: string): string | undefined {
  const file = resolve(path);
  if (isFolder(file)) return `${path} is a folder, expected a file; add a file name`;
  let nearest = file;
  while (!existsSync(nearest) && nearest !== dirname(nearest)) nearest = dirname(nearest);
  if (nearest !== file && !isFolder(nearest)) {
    return `${nearest} is a file, expected a folder; choose a path below a folder`;
  }
  try {
    accessSync(nearest, constants.W_OK);
    return undefined;
  } catch {
    return `${nearest} is not writable; change its permissions or choose another path`;
  }
}

/**
 * Creates a folder and its missing parents. Throws StoreError. Does not use Node's `recursive`, which
 * never returns where a parent exists but nothing can be created in it (ENOENT, as below /proc).
 */
export function createFolder(folder: string): void {
  try {
    createAll(folder);
  } catch (error) {
    throw new StoreError(`SQLite: ${(error as Error).message}`);
  }
}

function createAll(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process may have created it in the meantime.
    if (isFolder(folder)) return;
    const parent = dirname(folder);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    createAll(parent);
    createAll(folder);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The first bytes of a SQLite database (https://sqlite.org/fileformat.html, section 1.3). */
const HEADER = Buffer.from('SQLite format 3\0');

/**
 * A database file that SQLite has open. SQLite does not detect that the file was deleted or replaced, and
 * keeps writing to the old one. Another database that was written over the file is not detected: its
 * header may be the same, and checkpoints of other processes change the file too.
 */
export class OpenedFile {
  readonly #path: string;
  /**
   * Never closed: closing any descriptor of a file releases the locks that SQLite holds on it
   * (https://sqlite.org/howtocorrupt.html, section 2.2).
   */
  readonly #descriptor: number;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'r');
  }

  /** @throws StoreError if the path is no longer the opened database. */
  check(): void {
    const damage = this.#findDamage();
    if (damage === undefined) return;
    throw new StoreError(
      `SQLite: ${this.#path} ${damage} while in use, so writing has stopped; ` +
        'put the original file back, or restore a backup and restart the gateway',
    );
  }

  #findDamage(): string | undefined {
    const found = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return 'was deleted';
    const opened = fstatSync(this.#descriptor, { bigint: true });
    if (found.ino !== opened.ino || found.dev !== opened.dev) return 'was replaced';
    const header = Buffer.alloc(HEADER.length);
    readSync(this.#descriptor, header, 0, header.length, 0);
    return header.equals(HEADER) ? undefined : 'was truncated or overwritten';
  }
}
