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

/** A document that is being read, and the origin of each part. */
export interface Draft {
  readonly document: JsonObject;
  readonly places: Places;
  readonly source: Source;
}

/** A document without references to other files. */
export interface Bundle extends Draft {
  /** Whether parts came from other files. */
  readonly isSplit: boolean;
  /** Whether schemas from below unknown keywords became components. */
  readonly hasHidden: boolean;
  /** Errors in the files that the document refers to. */
  readonly diagnostics: readonly Diagnostic[];
  /** References that do not resolve. Schemas among them now allow any value; the others are kept. */
  readonly unresolved: readonly Unreachable[];
}

/** Returns a copy of a document that may be changed. */
export function draftOf(source: Source): Draft {
  const document = cloneExact(source.value) as JsonObject;
  const places = new Places();
  places.add(document, source);
  return { document, places, source };
}

/**
 * Merges the files of a draft's document into one document, in which every referenced schema is a
 * component. Recursive schemas stay references. Changes the draft.
 *
 * @throws DocumentError if a limit is exceeded
 */
export async function bundleDraft(draft: Draft, options: BundleOptions): Promise<Bundle> {
  const { document, places, source } = draft;
  resolveIdentifiers(document);
  const isSplit = [...findReferences(document)].some(({ reference }) => !reference.startsWith('#'));
  const { unresolved, diagnostics, written } = isSplit
    ? await takeInFiles(document, { ...options, root: source, places })
    : { unresolved: [], diagnostics: [], written: new WeakMap<object, string>() };
  const { dead, hasHidden } = hoistSchemas(document, { places, written, source });
  if (isSplit) dropFiles(document, { places, written });
  const opened = new Set(dead.map(({ holder }) => holder));
  const others = unresolved.filter(({ holder }) => !opened.has(holder));
  return { ...draft, isSplit, hasHidden, diagnostics, unresolved: [...others, ...dead] };
}
