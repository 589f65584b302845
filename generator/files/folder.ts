import { mkdir, readdir, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { MAX_FILE_BYTES, readRegularFile, TOO_LARGE } from './regular-file.ts';
import { DocumentError } from '../../common/diagnostic.ts';
import { kindProblem, refuseSpecialFiles, replaceFile } from './replace-file.ts';

/** Folders that package managers and compilers create beside sources. */
const IGNORED = new Set(['node_modules', 'dist', '__pycache__']);

/**
 * Reads the text of every file of a folder, by relative path; an empty map for a missing folder. Skips
 * links, devices and pipes: a repository may hold them, and reading them may never end.
 */
export async function readFolder(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const path of (await listFiles(folder)).sort()) {
    files.set(relative(folder, path).split(sep).join('/'), await readText(path));
  }
  return files;
}

async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(async (error: unknown) => {
    await refuseFileAt(folder);
    return ignore('ENOENT', [])(error as Error);
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !IGNORED.has(entry.name)) {
      for (const below of await listFiles(path)) found.push(below);
    }
    if (entry.isFile()) found.push(path);
  }
  return found;
}

/** Maximum depth of `listTree`, and the folders that it skips. */
const MAX_DEPTH = 12;
const SKIPPED_FOLDER = /^(?:\..*|node_modules|vendor|target)$/;

/**
 * Lists the files below a folder as paths with slashes. Skips hidden folders, packages and build output.
 */
export async function listTree(folder: string, below = '', depth = 0): Promise<readonly string[]> {
  if (depth > MAX_DEPTH) return [];
  const files: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = posix.join(below, entry.name);
    if (entry.isFile()) files.push(path);
    if (entry.isDirectory() && !SKIPPED_FOLDER.test(entry.name)) {
      for (const file of await listTree(folder, path, depth + 1)) files.push(file);
    }
  }
  return files;
}

/** Returns "" for a file that is larger than any generated one. */
async function readText(path: string): Promise<string> {
  const options = { maxBytes: MAX_FILE_BYTES, followsLink: false };
  return String(await readRegularFile(path, options).catch(ignore(TOO_LARGE, '')));
}

function ignore<T>(code: string, value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === code) return value;
    throw error;
  };
}

/**
 * Writes `files`, contents by path relative to `folder`, and creates the folders they need. `folder` may
 * be a symbolic link; links within it are not followed.
 *
 * @throws DocumentError for paths that are or lead through a symbolic link, a device or a pipe, and for
 *   folders in the place of files or the reverse; then nothing is written
 */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
): Promise<void> {
  if (files.size === 0) return;
  const targets = new Map([...files.keys()].map((path) => [path, inside(folder, path)]));
  await makeFolder(folder);
  await refuseSpecialFiles(folder, [...files.keys()]);
  const real = await realpath(folder);
  for (const [path, target] of targets) {
    await makeFolder(dirname(target));
    await replaceFile(target, files.get(path)!, dirname(join(real, path)));
  }
}

/** Creates a folder and its missing parents. */
// The `recursive` option of mkdir never returns if a folder cannot be created (in /proc, for example).
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    await refuseFileAt(folder);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
}

/** @throws DocumentError for a file in the place of a folder or of one of its parents */
async function refuseFileAt(folder: string): Promise<void> {
  for (let path = resolve(folder); path !== dirname(path); path = dirname(path)) {
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory() === true) return;
    if (found === null) continue;
    const shown = relative(process.cwd(), path).startsWith('..') ? path : relative('.', path);
    throw new DocumentError([kindProblem(shown, 'folder', 'choose another folder (--out)')]);
  }
}

/**
 * Removes files, and the folders below `folder` that become empty.
 *
 * @throws DocumentError for paths that are or lead through a symbolic link; then nothing is removed
 */
export async function removeFiles(folder: string, paths: readonly string[]): Promise<void> {
  await refuseSpecialFiles(folder, paths);
  for (const path of paths) {
    await rm(inside(folder, path), { force: true });
    for (let parent = posix.dirname(path); parent !== '.'; parent = posix.dirname(parent)) {
      const failure = await rmdir(inside(folder, parent)).catch((error: Error) => error);
      if (failure !== undefined) break;
    }
  }
}

function inside(folder: string, path: string): string {
  const target = join(folder, path);
  const way = relative(folder, target);
  if (way === '' || way.split(sep)[0] === '..') throw new Error(`${path} leads out of ${folder}`);
  return target;
}
