import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { removeFiles, writeFiles } from '../../generator/files/folder.ts';
import type { Update } from '../../generator/output/update.ts';
import type { SiteFiles } from './build-site.ts';

/** What lies in the folder by our doing: only that is ever removed again. */
const LIST = 'data/files.json';

/**
 * Makes a folder hold a site: writes what differs, removes what an earlier site left there.
 *
 * @throws DocumentError for symbolic links in the folder, which are not followed
 */
export async function writeSite(folder: string, files: SiteFiles): Promise<Update> {
  const paths = [...files.keys()].sort();
  const earlier = await readList(folder);
  const written: string[] = [];
  for (const path of paths) {
    const found = await readFile(join(folder, path)).catch(() => null);
    if (found === null || !found.equals(files.get(path)!)) written.push(path);
  }
  const removed = earlier.filter((path) => !files.has(path) && isWithin(folder, path));
  await writeFiles(folder, new Map(written.map((path) => [path, files.get(path)!])));
  await removeFiles(folder, removed);
  await writeFiles(folder, new Map([[LIST, `${JSON.stringify(paths)}\n`]]));
  const unchanged = paths.filter((path) => !written.includes(path));
  return { written, unchanged, removed, orphaned: [] };
}

async function readList(folder: string): Promise<readonly string[]> {
  try {
    const list: unknown = JSON.parse(await readFile(join(folder, LIST), 'utf8'));
    return Array.isArray(list) ? list.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, join(folder, path));
  return way !== '' && !/^\.\.(?:[/\\]|$)/.test(way);
}
