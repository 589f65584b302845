import { fstatSync, openSync, readSync, statSync } from 'node:fs';
import { StoreError } from './database.ts';

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
