import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Why a file cannot be had at a path, nothing of which is made; undefined where nothing speaks against it. */
export function findFileFlaw(path: string): string | undefined {
  const file = resolve(path);
  if (kindOf(file) === 'folder') return `${path} is a folder; name a file in it`;
  let nearest = file;
  while (kindOf(nearest) === 'none' && nearest !== dirname(nearest)) nearest = dirname(nearest);
  if (nearest !== file && kindOf(nearest) !== 'folder') {
    return `${nearest} is no folder; name a file below a folder`;
  }
  try {
    accessSync(nearest, constants.W_OK);
    return undefined;
  } catch {
    return `${nearest} cannot be written; allow it, or name another place`;
  }
}

function kindOf(path: string): 'none' | 'folder' | 'file' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'none';
  }
}
