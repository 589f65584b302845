import { printExact } from '../../common/json/exact.ts';
import type { Json } from '../../common/json/value.ts';
import { bundleDraft, draftOf } from '../../generator/bundle/bundle.ts';
import { diagnosticAt } from '../../generator/bundle/places.ts';
import { diffDocuments, type Diff, type DiffOptions } from '../../generator/diff/diff.ts';
import type { LoadedDocument } from '../../generator/document.ts';
import { buildModel } from '../../generator/model/build.ts';
import { parseSource } from '../../generator/source/parse.ts';

async function bundle(document: unknown, name: string) {
  const text = printExact(document as Json, 2);
  const source = parseSource({ name, url: `file:///docs/${name}`, text });
  const read = () => {
    throw new Error('the document refers to another file');
  };
  return bundleDraft(draftOf(source), { read });
}

/** Bundles a document: every referenced schema becomes a component. */
export async function toBundled(document: unknown): Promise<unknown> {
  return (await bundle(document, 'doc.json')).document;
}

/** Loads a document without validating it, because benchmarks load thousands. */
export async function toLoaded(document: unknown, name = 'doc.json'): Promise<LoadedDocument> {
  const { source, document: bundled, places } = await bundle(document, name);
  return {
    model: buildModel(bundled),
    omissions: [],
    locate: (pointer) =>
      diagnosticAt(places.find(bundled, pointer) ?? { source, pointer }, { message: '' }).location,
  };
}

export const DEFAULTS: DiffOptions = { strictness: 'wire', approvals: [], today: '2026-01-01' };

/** Compares two documents. */
export async function diffOf(
  old: unknown,
  fresh: unknown,
  options: Partial<DiffOptions> = {},
): Promise<Diff> {
  const documents = {
    old: await toLoaded(old, 'old.json'),
    new: await toLoaded(fresh, 'new.json'),
  };
  return diffDocuments(documents, { ...DEFAULTS, ...options });
}
