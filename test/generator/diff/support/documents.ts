/** Documents to compare, read without the disk and without validating them each time. */
import { bundleDocument } from '../../../../generator/bundle/bundle.ts';
import { problemAt } from '../../../../generator/bundle/places.ts';
import { diffDocuments, type Diff, type DiffOptions } from '../../../../generator/diff/diff.ts';
import type { LoadedDocument } from '../../../../generator/document.ts';
import { buildModel } from '../../../../generator/model/build.ts';
import { parseSource } from '../../../../generator/source/parse.ts';

export async function loaded(document: unknown, name = 'doc.json'): Promise<LoadedDocument> {
  const text = JSON.stringify(document, null, 2);
  const source = parseSource({ name, url: `file:///docs/${name}`, text });
  const read = () => {
    throw new Error('refers to another file');
  };
  const { document: bundled, places } = await bundleDocument(source, { read });
  return {
    model: buildModel(bundled),
    unresolved: [],
    problemAt: (pointer, problem) =>
      problemAt(places.find(bundled, pointer) ?? { source, pointer }, problem),
  };
}

const DEFAULTS: DiffOptions = { strictness: 'wire', approvals: [], today: '2026-01-01' };

export async function diffOf(
  old: unknown,
  fresh: unknown,
  options: Partial<DiffOptions> = {},
): Promise<Diff> {
  const documents = { old: await loaded(old, 'old.json'), new: await loaded(fresh, 'new.json') };
  return diffDocuments(documents, { ...DEFAULTS, ...options });
}

/** Ids of what was found, without what it asks of the version. */
export function kindsIn({ changes }: Diff): readonly string[] {
  return changes.map(({ kind }) => kind).filter((kind) => !kind.startsWith('version-'));
}
