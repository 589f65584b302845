import { DocumentError, describeLocation, unusable, wholeFile } from '../../common/diagnostic.ts';
import { decodeUri } from '../../common/json/pointer.ts';
import { isObject } from '../../common/json/value.ts';
import type { TextReader } from '../files/text.ts';
import { parseSource } from '../source/parse.ts';
import type { Source } from '../source/source.ts';
import { limitReads } from './limit-reads.ts';
import { diagnosticAt } from './places.ts';

/** A local file or folder of schemas that documents refer to by URL. */
export interface ResolveEntry {
  /**
   * A URL, which stands for all URLs that begin with it if it ends with a slash; null for the `$id` of
   * each file.
   */
  readonly url: string | null;
  /** A file or a folder. */
  readonly path: string;
}

/** Finds local files for URLs. */
export interface Resolver {
  /** Returns the file of a URL without a fragment, or null. Its location is that URL. */
  find(url: string): Promise<Source | null>;
  /** Checks whether a URL has a file. */
  has(url: string): boolean;
}

/** More files are probably a mistake, such as the folder of a whole repository. */
const MAX_FILES = 5_000;

/**
 * Reads the files that declare an `$id` in the entries' folders.
 *
 * @throws DocumentError for an `$id` that two files declare, and for files that cannot be read
 */
export async function createResolver(
  entries: readonly ResolveEntry[],
  reader: TextReader,
): Promise<Resolver> {
  const read = limitReads((location, how) => reader.read(location, how));
  const byId = new Map<string, Source>();
  for (const { url, path } of entries) {
    if (url !== null) continue;
    for (const location of await listFiles(path, reader)) {
      const text = await read(location);
      if (!text.text.includes('$id')) continue;
      const source = parseSource(text);
      const id = idOf(source);
      const first = id === null ? undefined : byId.get(id);
      if (first !== undefined && first.name !== source.name) throw duplicateId(id!, source, first);
      if (id !== null) byId.set(id, source);
    }
  }
  const pathOf = (url: string) => findPath(url, entries);
  return {
    has: (url) => byId.has(url) || pathOf(url) !== null,
    async find(url) {
      const path = pathOf(url);
      const found = byId.get(url) ?? (path === null ? null : parseSource(await read(path)));
      return found && { ...found, url, isLocal: true };
    },
  };
}

async function listFiles(path: string, reader: TextReader): Promise<readonly string[]> {
  const listed = (await reader.list?.(path)) ?? [path];
  const files =
    listed.length === 1 ? listed : listed.filter((each) => /\.(?:json|ya?ml)$/i.test(each));
  if (files.length <= MAX_FILES) return [...files].sort();
  const message = `the folder has more than ${MAX_FILES} JSON and YAML files`;
  throw new DocumentError([
    unusable(wholeFile(path), { message, fix: 'pass a folder that contains only the schemas' }),
  ]);
}

/**
 * Returns the `$id` of a file if it is absolute and has no fragment, or null. An empty fragment is
 * removed.
 */
function idOf({ value }: Source): string | null {
  const id = isObject(value) ? value['$id'] : undefined;
  const url = typeof id === 'string' ? URL.parse(id) : null;
  return url === null || url.hash !== '' ? null : url.href.replace(/#$/, '');
}

function duplicateId(id: string, source: Source, first: Source): DocumentError {
  const pointer = '/$id';
  const other = describeLocation({ file: first.name, ...first.positionOf(pointer), pointer: null });
  const message = `duplicate $id "${id}" (first in ${other})`;
  const fix = 'change one of them, or leave one of the files out of the folder';
  return new DocumentError([diagnosticAt({ source, pointer }, { message, fix })]);
}

/** Returns the path for a URL, from the entry with the longest match, or null. */
function findPath(url: string, entries: readonly ResolveEntry[]): string | null {
  const longest = entries
    .filter((entry) => entry.url === url || (entry.url?.endsWith('/') && url.startsWith(entry.url)))
    .toSorted((a, b) => b.url!.length - a.url!.length)[0];
  if (longest === undefined) return null;
  if (longest.url === url) return longest.path;
  const rest = url.slice(longest.url!.length).replace(/\?.*$/, '');
  // The document chose the URL: it must not lead out of the folder.
  if (/%(?:2f|5c|00)|\\|(?:^|\/)\.\.(?:\/|$)/i.test(rest)) return null;
  return `${longest.path.replace(/\/$/, '')}/${decodeUri(rest)}`;
}
