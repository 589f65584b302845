import type { Diagnostic } from '../../common/diagnostic.ts';
import { cloneExact } from '../../common/json/exact.ts';
import type { JsonObject } from '../../common/json/value.ts';
import type { Source } from '../source/source.ts';
import { dropFiles, takeInFiles } from './external.ts';
import { hoistSchemas } from './hoist.ts';
import { resolveIdentifiers } from './identifiers.ts';
import { createPlaces, type Places } from './places.ts';
import type { ReadUrl, Unreachable } from './referenced.ts';
import { findReferences } from './references.ts';

/** A document that refers to nothing outside itself, and where each part of it was read. */
export interface Bundle {
  readonly document: JsonObject;
  readonly places: Places;
  /** True when parts came from other files. */
  readonly isSplit: boolean;
  /** References in schemas that do not lead to a schema, unless unresolved ones are allowed. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Unresolved references that are allowed: a schema is replaced by one that allows anything; elsewhere
   * the reference stays.
   */
  readonly unresolved: readonly Unreachable[];
}

export interface BundleOptions {
  readonly read: ReadUrl;
  /** Replace references that cannot be resolved by a schema that allows anything, instead of failing. */
  readonly allowUnresolved?: boolean;
  /** Follow references to any origin: without it a document reaches only the one it came from. */
  readonly allowRemote?: boolean;
}

/**
 * Puts a document that may be split over files, and may refer from anywhere to anywhere, into the
 * form the Model is built from: everything in one document, every schema that is referred to a
 * component. Recursive schemas stay references. `source` is left as it is.
 *
 * @throws DocumentError for every file that cannot be read and every reference into one that leads
 *   nowhere
 */
export async function bundleDocument(
  source: Source,
  { read, allowUnresolved = false, allowRemote = false }: BundleOptions,
): Promise<Bundle> {
  const document = cloneExact(source.value) as JsonObject;
  const places = createPlaces();
  places.add(document, source);
  resolveIdentifiers(document);
  const isSplit = [...findReferences(document)].some(({ reference }) => !reference.startsWith('#'));
  const { unresolved, written } = isSplit
    ? await takeInFiles(document, { source, read, places, allowUnresolved, allowRemote })
    : { unresolved: [], written: new WeakMap<object, string>() };
  const root = { source, pointer: '' };
  const dead = hoistSchemas(document, { places, written, root, allowUnresolved });
  if (isSplit) dropFiles(document, written);
  return {
    document,
    places,
    isSplit,
    diagnostics: allowUnresolved ? [] : dead,
    unresolved: allowUnresolved ? [...unresolved, ...dead] : unresolved,
  };
}
