import { joinPointer, pointerOfFragment, splitPointer } from '../json/pointer.ts';
import { isObject, type Json } from '../json/value.ts';
import { isLiteral } from './literal.ts';

/**
 * The pointer that the fragment of a reference means in the file it leads to: a JSON pointer, or the
 * name that a schema there has by `$anchor`, or by an `$id` that is nothing but a fragment (draft-07,
 * 8.2.3). Null for a name that no schema there has.
 */
export function pointerIn(file: Json, reference: string): string | null {
  const pointer = pointerOfFragment(reference);
  if (pointer !== null) return pointer;
  const name = reference.slice(reference.indexOf('#') + 1);
  const ahead: [Json, string][] = [[file, '']];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [value, at] = next;
    if (typeof value !== 'object' || value === null) continue;
    if (isObject(value) && (value['$anchor'] === name || value['$id'] === `#${name}`)) return at;
    for (const [key, member] of Object.entries(value).toReversed()) {
      const below = joinPointer(at, key);
      if (!isLiteral(splitPointer(below))) ahead.push([member as Json, below]);
    }
  }
  return null;
}
