import { type Diagnostic, DocumentError, type Omission } from '../../common/diagnostic.ts';
import type { JsonObject } from '../../common/json/value.ts';
import { diagnosticAt } from '../bundle/places.ts';
import { bundleDraft, draftOf, type Bundle } from '../bundle/bundle.ts';
import { limitReads } from '../bundle/limit-reads.ts';
import { createResolver, type ResolveEntry } from '../bundle/resolver.ts';
import { refOfUrl } from '../files/git.ts';
import type { BundleOptions } from '../bundle/referenced.ts';
import { objectsOf } from '../bundle/references.ts';
import type { TextReader } from '../files/text.ts';
import { listAt } from '../schema/document-schemas.ts';
import { parseSource } from '../source/parse.ts';
import { findUnreadable, findViolations } from '../validation/conformance.ts';
import { findUnsound } from '../validation/soundness.ts';
import { Omitter } from './omit.ts';
import { openedAt } from './plan-omission.ts';

export interface ReadDocumentOptions extends Pick<BundleOptions, 'allowRemote'> {
  /** Local files of schemas that the document refers to by URL. */
  readonly resolve?: readonly ResolveEntry[];
}

/** A document as it was found: the parts that can be used, and what is wrong with the others. */
export interface FoundDocument extends Bundle {
  /** The parts that break the meta-schema of OpenRPC; the document is without them. */
  readonly omitter: Omitter;
}

/**
 * Reads the document at `location` (a path, a URL, or "-" for standard input) and bundles it. Parts
 * that break the meta-schema of OpenRPC are left out; the rest may still be unsound, see
 * `omitUnsound`.
 *
 * @throws DocumentError when it cannot be read, or nothing of use would be left
 */
export async function readDocument(
  location: string,
  reader: TextReader,
  { allowRemote = false, resolve = [] }: ReadDocumentOptions,
): Promise<FoundDocument> {
  const read = limitReads((url, how) => reader.read(url, how));
  let repeated: readonly Diagnostic[] = [];
  const source = parseSource(await read(location, { mayBeStream: true }), (found) => {
    repeated = found;
  });
  const unreadable = findUnreadable(source.value);
  if (unreadable !== null) {
    throw new DocumentError([diagnosticAt({ source, pointer: unreadable.pointer }, unreadable)]);
  }
  const draft = draftOf(source);
  const omitter = new Omitter(draft);
  // Which value was meant is unknown: neither is used.
  omitter.omit(repeated.map((each) => ({ ...each, pointer: each.location.pointer! })));
  await omitter.omitAll(findViolations);
  const ref = refOfUrl(source.url);
  const entries = resolve.map((each) => ({
    ...each,
    path: ref === null ? each.path : `${ref}:${each.path}`,
  }));
  const resolver = await createResolver(entries, reader);
  const bundle = await bundleDraft(draft, { read, allowRemote, resolver });
  // Parts of other files, or from below unknown keywords, have not been validated yet.
  if (bundle.isSplit || bundle.hasHidden) await omitter.omitAll(findViolations);
  return { ...bundle, omitter };
}

/**
 * Leaves out of a document what generators cannot use: parts with references that do not resolve,
 * duplicate names and the like.
 *
 * @returns everything that was left out since the document was read
 * @throws DocumentError when nothing of use would be left
 */
export async function omitUnsound(found: FoundDocument): Promise<readonly Omission[]> {
  const { document, omitter, diagnostics, unresolved } = found;
  for (const each of diagnostics) {
    omitter.record({ ...each, effect: 'the file is left out', method: null });
  }
  const held = new Map(unresolved.map((each) => [each.holder, each]));
  const left: (Diagnostic & { readonly pointer: string })[] = [];
  for (const [holder, pointer] of objectsOf(document)) {
    const each = held.get(holder);
    if (each === undefined) continue;
    held.delete(holder);
    const { holder: _holder, isOpened, ...diagnostic } = each;
    if (!isOpened) left.push({ ...diagnostic, pointer });
    else omitter.record({ ...diagnostic, effect: openedAt(document, pointer), method: null });
  }
  omitter.omit(left);
  await omitter.omitAll(findUnsound);
  const isEmpty = listAt(document, 'methods').length === 0;
  if (isEmpty && listAt(found.source.value as JsonObject, 'methods').length > 0) {
    throw new DocumentError(omitter.omissions);
  }
  return omitter.omissions;
}
