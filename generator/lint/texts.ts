import { isLiteral } from '../bundle/references.ts';
import { joinPointer, splitPointer } from '../../common/json/pointer.ts';
import type { Json, JsonObject } from '../../common/json/value.ts';

/** A text of a document that people read. */
export interface DocumentText {
  readonly text: string;
  readonly pointer: string;
}

/** Every description and summary of the document. */
export function* textsOf(document: JsonObject): Generator<DocumentText> {
  const ahead: [Json, string][] = [[document, '']];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [value, pointer] = next;
    if (typeof value !== 'object' || value === null) continue;
    const tokens = splitPointer(pointer);
    for (const [key, member] of Object.entries(value) as [string, Json][]) {
      const isText = typeof member === 'string' && (key === 'description' || key === 'summary');
      if (isText) yield { text: member, pointer: joinPointer(pointer, key) };
      else if (typeof member === 'object' && !isLiteral([...tokens, key])) {
        ahead.push([member, joinPointer(pointer, key)]);
      }
    }
  }
}
