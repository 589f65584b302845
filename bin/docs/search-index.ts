import { close, createIndex, type PagefindIndex } from 'pagefind';
import type { SearchRecord } from '../../generator/targets/docs/page.ts';
import { siteFolder } from './assets.ts';

/** Pagefind's own user interface, which the site does not use. */
const OWN_INTERFACE = /(?:-ui|-highlight)\.(?:js|css)$/;

/** Maximum number of files that records are spread over. */
const MAX_FRAGMENTS = 200;

/** Maximum number of records the indexer adds at the same time. */
const MAX_ASKED = 500;

/** Builds the search index of a site: path (`pagefind/…`) to contents. */
export async function indexRecords(
  records: readonly SearchRecord[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const options = { includeCharacters: '_.$-', maxFragments: MAX_FRAGMENTS };
  const { index, errors } = await inSiteFolder(() => createIndex(options));
  if (index === undefined) throw new Error(`cannot create the search index: ${errors.join('; ')}`);
  try {
    for (let start = 0; start < records.length; start += MAX_ASKED) {
      const asked = records.slice(start, start + MAX_ASKED);
      await Promise.all(asked.map((record) => addRecord(index, record)));
    }
    const { files, errors } = await index.getFiles();
    if (errors.length > 0) throw new Error(errors.join('; '));
    return new Map(
      files
        .filter(({ path }) => !OWN_INTERFACE.test(path))
        .map(({ path, content }) => [`pagefind/${path}`, content]),
    );
  } finally {
    await index.deleteIndex();
    await close();
  }
}

/**
 * Starts Pagefind in a folder of this package. It reads a configuration file of its working folder, which
 * may belong to someone else, and whose `logfile` would overwrite any file of the user. Pagefind starts in
 * `process.cwd()`; a worker thread cannot change the folder itself.
 */
function inSiteFolder<T>(start: () => Promise<T>): Promise<T> {
  const { cwd } = process;
  process.cwd = () => siteFolder;
  try {
    return start();
  } finally {
    process.cwd = cwd;
  }
}

async function addRecord(
  index: PagefindIndex,
  { url, title, kind, context, text }: SearchRecord,
): Promise<void> {
  const { errors } = await index.addCustomRecord({
    url,
    language: 'en',
    // Pagefind does not read half of a surrogate pair.
    content: `${title} ${context} ${text}`.toWellFormed(),
    meta: { title: title.toWellFormed(), kind, context: context.toWellFormed() },
    filters: { kind: [kind] },
  });
  if (errors.length > 0) throw new Error(`${url}: ${errors.join('; ')}`);
}
