import type { Diagnostic } from '../../common/diagnostic.ts';
import { cloneExact } from '../../common/json/exact.ts';
import type { JsonObject } from '../../common/json/value.ts';
import type { Source } from '../source/source.ts';
import { dropFiles, takeInFiles } from './external.ts';
import { hoistSchemas } from './hoist.ts';
import { resolveIdentifiers } from './identifiers.ts';
import { Places } from './places.ts';
import type { BundleOptions, Unreachable } from './referenced.ts';
import { findReferences } from './references.ts';

/** A document without references to other files, and the origin of each part. */
export interface Bundle {
  readonly document: JsonObject;
  readonly places: Places;
  /** Whether parts came from other files. */
  readonly isSplit: boolean;
  /** References in schemas that do not resolve to a schema, unless unresolved ones are allowed. */
  readonly diagnostics: readonly Diagnostic[];
  /** Unresolved references that are allowed. Schemas among them now allow any value. */
  readonly unresolved: readonly Unreachable[];
}

/**
 * Merges a document that may be split over files into one document, in which every referenced schema is
 * a component. Recursive schemas stay references. `source` is not changed.
 *
 * @throws DocumentError for every file that cannot be read and every reference into one that does not
 *   resolve
 */
export async function bundleDocument(source: Source, options: BundleOptions): Promise<Bundle> {
  const { allowUnresolved = false } = options;
  const document = cloneExact(source.value) as JsonObject;
  const places = new Places();
  places.add(document, source);
  resolveIdentifiers(document);
  const isSplit = [...findReferences(document)].some(({ reference }) => !reference.startsWith('#'));
  const { unresolved, written } = isSplit
    ? await takeInFiles(document, { ...options, root: source, places })
    : { unresolved: [], written: new WeakMap<object, string>() };
  const dead = hoistSchemas(document, { places, written, source, allowUnresolved });
  if (isSplit) dropFiles(document, { places, written });
  return {
    document,
    places,
    isSplit,
    diagnostics: allowUnresolved ? [] : dead,
    unresolved: allowUnresolved ? [...unresolved, ...dead] : unresolved,
  };
}
