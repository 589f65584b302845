import { mkdir, readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import { refuseSpecialFiles, replaceFile } from './replace-file.ts';
import { MAX_FILE_BYTES, readRegularFile, TOO_LARGE } from './regular-file.ts';

/** What package managers and compilers put beside sources; never generated, never compared. */
const IGNORED = new Set(['node_modules', 'dist', '__pycache__']);

/**
 * The text of every file of a folder, by its path relative to it; empty when there is no folder.
 * Links, devices and pipes are left out: a repository may hold them, and reading them may never end.
 */
export async function readFolder(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const path of (await listFiles(folder)).sort()) {
    files.set(toRelative(folder, path), await readText(path));
  }
  return files;
}

async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdirOrNothing(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !IGNORED.has(entry.name)) found.push(...(await listFiles(path)));
    if (entry.isFile()) found.push(path);
  }
  return found;
}

/** "" for a file that is larger than anything generated. */
async function readText(path: string): Promise<string> {
  try {
    const options = { maxBytes: MAX_FILE_BYTES, followsLink: false };
    return (await readRegularFile(path, options)).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === TOO_LARGE) return '';
    throw error;
  }
}

async function readdirOrNothing(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Writes `files` (path relative to `folder`, to contents), making the folders they need. `folder` may
 * be a symbolic link; nothing within it is followed.
 *
 * @throws DocumentError for paths that are, or lead through, a symbolic link, a device or a pipe; then
 * nothing is written
 */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
): Promise<void> {
  if (files.size === 0) return;
  const targets = [...files].map(([path, contents]) => {
    return { path, contents, target: inside(folder, path) };
  });
  await makeFolder(folder);
  await refuseSpecialFiles(folder, [...files.keys()]);
  const real = await realpath(folder);
  for (const { path, contents, target } of targets) {
    await makeFolder(dirname(target));
    await replaceFile(target, contents, dirname(join(real, path)));
  }
}

/** Makes a folder, and those it is in, unless it is there. */
// Not mkdir's own `recursive`: it never ends where a folder cannot be made (in /proc, say).
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
}

/**
 * Removes files, and the folders below `folder` that are empty without them.
 *
 * @throws DocumentError for paths that lead through a symbolic link; then nothing is removed
 */
export async function removeFiles(folder: string, paths: readonly string[]): Promise<void> {
  const folders = paths.map((path) => posix.dirname(path)).filter((path) => path !== '.');
  await refuseSpecialFiles(folder, folders);
  for (const path of paths) {
    await rm(inside(folder, path), { force: true });
    for (let parent = posix.dirname(path); parent !== '.'; parent = posix.dirname(parent)) {
      const isGone = await rmdir(inside(folder, parent)).then(
        () => true,
        () => false,
      );
      if (!isGone) break;
    }
  }
}

function inside(folder: string, path: string): string {
  const target = join(folder, path);
  const way = relative(folder, target);
  if (way === '' || way.split(sep)[0] === '..') throw new Error(`${path} leads out of ${folder}`);
  return target;
}

function toRelative(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}
