import { joinPointer, pointerOfFragment, splitPointer } from '../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
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
  for (const { holder, at } of objectsOf(file)) {
    if (holder['$anchor'] === name || holder['$id'] === `#${name}`) return at;
  }
  return null;
}

/** Takes such names off a file that becomes a part of another, which may have the same ones. */
export function dropAnchors(file: Json): void {
  for (const { holder } of objectsOf(file)) {
    const { $id, $anchor } = holder;
    if (typeof $anchor === 'string') delete (holder as Record<string, Json>)['$anchor'];
    if (typeof $id === 'string' && $id.startsWith('#')) {
      delete (holder as Record<string, Json>)['$id'];
    }
  }
}

/** Every object of a file but for data, and the pointer to it. */
export function* objectsOf(
  file: Json,
): Generator<{ readonly holder: JsonObject; readonly at: string }> {
  const ahead: [Json, string][] = [[file, '']];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [value, at] = next;
    if (typeof value !== 'object' || value === null) continue;
    if (isObject(value)) yield { holder: value, at };
    for (const [key, member] of Object.entries(value).toReversed()) {
      const below = joinPointer(at, key);
      if (!isLiteral(splitPointer(below))) ahead.push([member as Json, below]);
    }
  }
}
