import { joinPointer, splitPointer } from '../json/pointer.ts';
import { referenceOf } from '../json/reference.ts';
import type { Json } from '../json/value.ts';
import { isLiteral } from './literal.ts';

export interface Reference {
  readonly reference: string;
  /** Of the object that is the reference. */
  readonly pointer: string;
}

/** Every reference of a document: objects with a `$ref`, but for what is data. */
export function* findReferences(document: Json): Generator<Reference> {
  const ahead: [Json, string][] = [[document, '']];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [value, pointer] = next;
    if (typeof value !== 'object' || value === null || isLiteral(splitPointer(pointer))) continue;
    const reference = referenceOf(value);
    if (reference !== null) yield { reference, pointer };
    const members = Object.entries(value).toReversed();
    for (const [key, member] of members) ahead.push([member as Json, joinPointer(pointer, key)]);
  }
}
