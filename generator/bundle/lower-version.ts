import type { PointerDiagnostic } from '../../common/diagnostic.ts';
import { joinPointer } from '../../common/json/pointer.ts';
import { localTarget, referenceOf, resolvePointer } from '../../common/json/reference.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import { listAt, objectAt } from '../schema/document-schemas.ts';
import type { Mutable } from './references.ts';

/** Versions of OpenRPC that a document can be lowered to. */
export const lowerVersions = ['1.2.6'] as const;

export type LowerVersion = (typeof lowerVersions)[number];

interface Lowered {
  /** Number of examples that were left out. */
  readonly leftOut: number;
  /** Content that the version cannot express. */
  readonly diagnostics: readonly PointerDiagnostic[];
}

/**
 * Rewrites a bundled document for tools that do not support OpenRPC versions above 1.2.6, where
 * every method and every example has a result. Examples without one, such as those of errors, are
 * left out. Changes `document`.
 */
export function lowerVersion(document: JsonObject, version: LowerVersion): Lowered {
  (document as Mutable)['openrpc'] = version;
  delete (document as Mutable)['$schema'];
  let leftOut = 0;
  const diagnostics: PointerDiagnostic[] = [];
  for (const [index, method] of listAt(document, 'methods').entries()) {
    const kept = listAt(method, 'examples').filter((example) => hasResult(document, example));
    if ('examples' in method) {
      leftOut += listAt(method, 'examples').length - kept.length;
      (method as Mutable)['examples'] = kept;
    }
    if ('result' in method) continue;
    diagnostics.push({
      message: `the method "${String(method['name'])}" has no result, which OpenRPC ${version} requires`,
      fix: 'add a result, or bundle without --openrpc',
      pointer: joinPointer('/methods', index),
    });
  }
  const pairings = objectAt(objectAt(document, 'components'), 'examplePairings');
  for (const [name, pairing] of Object.entries(pairings)) {
    if (!hasResult(document, pairing)) delete (pairings as Mutable)[name];
  }
  return { leftOut, diagnostics };
}

function hasResult(document: JsonObject, example: Json): boolean {
  const pointer = localTarget(referenceOf(example));
  const pairing = pointer === null ? example : resolvePointer(document, pointer)?.value;
  return isObject(pairing) && 'result' in pairing;
}
