import { joinPointer, splitPointer } from '../../common/json/pointer.ts';
import { referenceOf } from '../../common/json/reference.ts';
import { isObject, type Json } from '../../common/json/value.ts';
import { isLiteral } from './literal.ts';

export interface Reference {
  readonly reference: string;
  /** Of the object that is the reference. */
  readonly pointer: string;
}

/** Every reference of a document, or of a file it is split over, but for what is data. */
export function* findReferences(document: Json): Generator<Reference> {
  const ahead: [Json, string][] = [[document, '']];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [value, pointer] = next;
    if (typeof value !== 'object' || value === null) continue;
    const reference = referenceOf(value);
    if (reference !== null) yield { reference, pointer };
    for (const [key, member] of Object.entries(value).toReversed()) {
      const at = joinPointer(pointer, key);
      if (isOfMethod(value, key) || !isLiteral(splitPointer(at))) ahead.push([member as Json, at]);
    }
  }
}

// In a separate file, the examples of a method and of a schema look the same.
function isOfMethod(holder: Json, key: string): boolean {
  return key === 'examples' && isObject(holder) && Array.isArray(holder['params']);
}
