import { memberOf, joinPointer, pointerOfFragment, splitPointer } from './pointer.ts';
import { isObject, type Json } from './value.ts';

/** Something in a document together with the JSON pointer of where it really stands. */
export interface Found {
  readonly value: Json;
  readonly pointer: string;
}

/** More references in a row than any document needs: they go round in a circle. */
const MAX_HOPS = 1000;

/**
 * What `pointer` leads to in `document`, following every `$ref` within the document that stands in
 * the way and, unless `stopAtReference`, the one it ends at. Null when it leads nowhere, out of the
 * document, or round in a circle.
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
      const target = reference.startsWith('#') ? pointerOfFragment(reference) : null;
      if (target === null) return null;
      ahead = [...splitPointer(target), ...ahead];
      found = { value: document, pointer: '' };
      hops += 1;
    }
  }
  return null;
}

/** The `$ref` of an object that is a reference. */
export function referenceOf(value: Json | undefined): string | null {
  const reference = isObject(value) ? value['$ref'] : undefined;
  return typeof reference === 'string' ? reference : null;
}
