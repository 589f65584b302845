import { memberOf, joinPointer, pointerOfFragment, splitPointer } from './pointer.ts';
import { isObject, type Json } from './value.ts';

/** A value in a document and its pointer, after references were followed. */
export interface Found {
  readonly value: Json;
  readonly pointer: string;
}

/** Longer chains of references are circular, or mistakes. */
const MAX_HOPS = 100;

/** Ends messages about a reference that `resolvePointer` cannot resolve. */
export const DEAD_END = `does not resolve, is circular, or leads through more than ${MAX_HOPS} references`;

/**
 * Resolves `pointer` in `document` and follows every local `$ref` on the way, including one at the end
 * unless `stopAtReference` is set. Returns null when the target does not exist, is in another
 * document, is circular, or leads through too many references.
 */
export function resolvePointer(
  document: Json,
  pointer: string,
  options: { readonly stopAtReference?: boolean } = {},
): Found | null {
  let found: Found = { value: document, pointer: '' };
  let ahead = splitPointer(pointer);
  for (let hops = 0; hops < MAX_HOPS;) {
    const next = ahead[0];
    const reference = referenceOf(found.value);
    const canStep = next !== undefined && memberOf(found.value, next) !== undefined;
    if (canStep) {
      found = {
        value: memberOf(found.value, next)!,
        pointer: joinPointer(found.pointer, next),
      };
      ahead = ahead.slice(1);
    } else if (reference === null || (next === undefined && options.stopAtReference === true)) {
      return next === undefined ? found : null;
    } else {
      const target = localTarget(reference);
      if (target === null) return null;
      ahead = [...splitPointer(target), ...ahead];
      found = { value: document, pointer: '' };
      hops += 1;
    }
  }
  return null;
}

/** Returns the pointer of a reference into the same document; null for any other. */
export function localTarget(reference: string | null): string | null {
  return reference?.startsWith('#') === true ? pointerOfFragment(reference) : null;
}

/** Returns the `$ref` of a reference object, or null. */
export function referenceOf(value: Json | undefined): string | null {
  const reference = isObject(value) ? value['$ref'] : undefined;
  return typeof reference === 'string' ? reference : null;
}
