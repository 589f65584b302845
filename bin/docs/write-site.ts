import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Update } from '../../generator/output/update.ts';
import type { SiteFiles } from './build-site.ts';

/** What lies in the folder by our doing: only that is ever removed again. */
const LIST = 'data/files.json';

/** Makes a folder hold a site: writes what differs, removes what an earlier site left there. */
export async function writeSite(folder: string, files: SiteFiles): Promise<Update> {
  const paths = [...files.keys()].sort();
  const earlier = await readList(folder);
  const written: string[] = [];
  for (const path of paths) {
    const content = files.get(path)!;
    const place = join(folder, path);
    const found = await readFile(place).catch(() => null);
    if (found !== null && found.equals(content)) continue;
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content);
    written.push(path);
  }
  const removed = earlier.filter((path) => !files.has(path) && isWithin(folder, path));
  for (const path of removed) await rm(join(folder, path), { force: true });
  await writeFile(join(folder, LIST), `${JSON.stringify(paths)}\n`);
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
  return !/^\.\.(?:[/\\]|$)/.test(relative(folder, join(folder, path)));
}
