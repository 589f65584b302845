import { readFolder, removeFiles, writeFiles } from '../files/folder.ts';
import { BANNER_MARK } from '../targets/banner.ts';
import type { Rendered } from '../targets/target.ts';
import { compareFiles } from './compare.ts';

/** What became of a folder; paths relative to it. */
export interface Update {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  /** Written by an earlier run, and by no target any more. */
  readonly removed: readonly string[];
  /** Left alone: written by no target, and without the banner that says an earlier run did. */
  readonly orphaned: readonly string[];
}

/**
 * Makes a folder hold `files`. Files that have the right text are not touched. When `files` are
 * everything that belongs there (`isWhole`), what an earlier run left is removed.
 */
export async function updateFolder(
  folder: string,
  files: Rendered,
  { isWhole }: { readonly isWhole: boolean },
): Promise<Update> {
  const found = await readFolder(folder);
  const { stale, missing, orphaned } = compareFiles(files, found);
  const written = [...stale, ...missing].sort();
  const removed = isWhole ? orphaned.filter((path) => hasBanner(found.get(path)!)) : [];
  await writeFiles(folder, new Map(written.map((path) => [path, files.get(path)!])));
  await removeFiles(folder, removed);
  return {
    written,
    unchanged: [...files.keys()].filter((path) => !written.includes(path)).sort(),
    removed,
    orphaned: isWhole ? orphaned.filter((path) => !removed.includes(path)) : [],
  };
}

function hasBanner(text: string): boolean {
  return text.split('\n', 3).some((line) => line.includes(BANNER_MARK));
}
