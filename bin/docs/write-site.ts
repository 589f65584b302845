import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DocumentError } from '../../common/diagnostic.ts';
import { removeFiles, writeFiles } from '../../generator/files/folder.ts';
import { MAX_FILE_BYTES, readRegularFile } from '../../generator/files/regular-file.ts';
import { refuseSpecialFiles } from '../../generator/files/replace-file.ts';
import { foreignFile, hasBanner, type Update } from '../../generator/output/update.ts';
import type { SiteFiles } from './build-site.ts';

/** The list of the files of the last run, with their hashes; only these files are ever removed. */
const LIST = 'data/files.json';

/** Marks the list as ours: a folder may hold another file of that name. */
const WRITTEN_BY = 'specgate docs';

/** Lower-case hexadecimal SHA-256 of a file's contents, by its path. */
type Hashes = ReadonlyMap<string, string>;

/**
 * Writes the files of a site that differ, and removes unchanged files of an earlier site.
 *
 * @throws DocumentError for symbolic links, devices, pipes and foreign files at the path of a page;
 * then nothing is written
 */
export async function writeSite(folder: string, files: SiteFiles): Promise<Update> {
  const paths = [...files.keys()].sort();
  await refuseSpecialFiles(folder, [...paths, LIST]);
  const list = await readList(folder);
  const earlier = [...list].filter(([path]) => !files.has(path));
  await refuseSpecialFiles(
    folder,
    earlier.map(([path]) => path),
  );
  const isSite = await isEarlierSite(folder, list);
  const written: string[] = [];
  const foreign: string[] = [];
  for (const path of paths) {
    const found = await readOrNothing(folder, path);
    if (found?.equals(files.get(path)!) === true) continue;
    (found === null || list.has(path) || isSite ? written : foreign).push(path);
  }
  if (foreign.length > 0) {
    throw new DocumentError(foreign.map((path) => foreignFile(join(folder, path))));
  }
  const removed: string[] = [];
  const changed: string[] = [];
  for (const [path, hash] of earlier) {
    const found = await readOrNothing(folder, path);
    if (found !== null) (hashOf(found) === hash ? removed : changed).push(path);
  }
  await writeFiles(folder, new Map(written.map((path) => [path, files.get(path)!])));
  await removeFiles(folder, removed);
  await writeFiles(folder, new Map([[LIST, printList(files, paths)]]));
  const changedPaths = new Set(written);
  const unchanged = paths.filter((path) => !changedPaths.has(path));
  return { written, unchanged, removed, orphaned: changed };
}

/** Whether a folder holds a site whose list of files is missing or of an earlier version. */
async function isEarlierSite(folder: string, list: Hashes): Promise<boolean> {
  const index = list.size === 0 ? await readOrNothing(folder, 'index.html') : null;
  return index !== null && hasBanner(index.toString());
}

function printList(files: SiteFiles, paths: readonly string[]): string {
  const hashes = paths.map((path) => [path, hashOf(files.get(path)!)]);
  return `${JSON.stringify({ writtenBy: WRITTEN_BY, files: hashes })}\n`;
}

/** Returns the list of the last run; empty if the file is missing or not ours. */
async function readList(folder: string): Promise<Hashes> {
  const bytes = await readOrNothing(folder, LIST);
  try {
    const list = JSON.parse(bytes?.toString() ?? '{}') as Record<string, unknown>;
    const { writtenBy, files } = list;
    if (writtenBy !== WRITTEN_BY || !Array.isArray(files)) return new Map();
    return new Map((files as unknown[]).filter(isEntry));
  } catch {
    return new Map();
  }
}

function isEntry(entry: unknown): entry is readonly [string, string] {
  if (!Array.isArray(entry) || entry.length !== 2) return false;
  const [path, hash] = entry as readonly unknown[];
  return typeof path === 'string' && isSitePath(path) && typeof hash === 'string';
}

/** Checks for a path within the folder and without hidden parts. */
function isSitePath(path: string): boolean {
  return path.split('/').every((token) => /^[^.\\\0][^\\\0]*$/.test(token));
}

function readOrNothing(folder: string, path: string): Promise<Buffer | null> {
  const options = { maxBytes: MAX_FILE_BYTES, followsLink: false };
  return readRegularFile(join(folder, path), options).catch(() => null);
}

function hashOf(contents: Uint8Array): string {
  return createHash('sha256').update(contents).digest('hex');
}
