import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
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
