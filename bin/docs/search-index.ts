import { close, createIndex, type PagefindIndex } from 'pagefind';
import type { SearchRecord } from '../../generator/targets/docs/page.ts';

/** Pagefind's own interface, which the site does not use. */
const OWN_INTERFACE = /(?:-ui|-highlight)\.(?:js|css)$/;

/** More records than this share files, so that a site does not consist of thousands. */
const MAX_FRAGMENTS = 200;

/** Records handed to the indexer before its answers are awaited. */
const MAX_ASKED = 500;

/** The search index of a site, by its path there: `pagefind/…`. Fails when the indexer does. */
export async function indexRecords(
  records: readonly SearchRecord[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { index, errors } = await createIndex({
    includeCharacters: '_.$-',
    maxFragments: MAX_FRAGMENTS,
  });
  if (index === undefined) throw new Error(`the search index cannot be made: ${errors.join('; ')}`);
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

async function addRecord(
  index: PagefindIndex,
  { url, title, kind, context, text }: SearchRecord,
): Promise<void> {
  const { errors } = await index.addCustomRecord({
    url,
    language: 'en',
    content: `${title} ${context} ${text}`,
    meta: { title, kind, context },
    filters: { kind: [kind] },
  });
  if (errors.length > 0) throw new Error(`${url}: ${errors.join('; ')}`);
}
