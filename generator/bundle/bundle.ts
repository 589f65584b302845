import { cloneExact } from '../json/exact.ts';
import type { JsonObject } from '../json/value.ts';
import type { Problem } from '../problem/problem.ts';
import type { Source } from '../source/source.ts';
import { bundleExternal, type ReadUrl } from './external.ts';
import { hoistSchemas } from './hoist.ts';
import { resolveIdentifiers } from './identifiers.ts';
import { createPlaces, type Places } from './places.ts';
import { findReferences } from './references.ts';

/** A document that refers to nothing outside itself, and where each part of it was read. */
export interface Bundle {
  readonly document: JsonObject;
  readonly places: Places;
  /** True when parts came from other files. */
  readonly isSplit: boolean;
  /** References in schemas that do not lead to a schema. */
  readonly problems: readonly Problem[];
}

/**
 * Puts a document that may be split over files, and may refer from anywhere to anywhere, into the
 * form the Model is built from: everything in one document, every schema that is referred to a
 * component. Recursive schemas stay references. `source` is left as it is.
 *
 * @throws DocumentError for every file that cannot be read and every reference into one that leads
 *   nowhere
 */
export async function bundleDocument(source: Source, read: ReadUrl): Promise<Bundle> {
  const document = cloneExact(source.value) as JsonObject;
  const places = createPlaces();
  places.add(document, source);
  resolveIdentifiers(document);
  const isSplit = [...findReferences(document)].some(({ reference }) => !reference.startsWith('#'));
  if (isSplit) await bundleExternal(document, { source, read, places });
  const problems = hoistSchemas(document, { places, root: { source, pointer: '' } });
  return { document, places, isSplit, problems };
}
