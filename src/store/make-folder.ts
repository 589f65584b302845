import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from './database.ts';

/**
 * Makes a folder and those above it that are missing. Throws StoreError when that cannot be. Not by
 * Node's `recursive`, which never returns where a folder exists and yet nothing can be made in it
 * (ENOENT, as below /proc).
 */
export function makeFolder(folder: string): void {
  try {
    makeAll(folder);
  } catch (error) {
    throw new StoreError(`SQLite: ${(error as Error).message}`);
  }
}

function makeAll(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isFolder(folder)) return;
    const above = dirname(folder);
    if (code !== 'ENOENT' || existsSync(above)) throw error;
    makeAll(above);
    makeAll(folder);
  }
}

/** Another process may have made it a moment ago. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
