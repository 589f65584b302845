import { splitPointer, joinPointer } from '../json/pointer.ts';
import type { Json } from '../json/value.ts';
import { isLiteral } from './literal.ts';

/**
 * Takes data that looks like a reference (a member `$ref` in an example's value) out of sight of
 * those who follow references, and puts it back.
 */
export interface Masks {
  /** Puts a text in the place of all such data in `document`. */
  hide(document: Json): void;
  /** Puts back in `document` what was hidden, in whatever document it was. */
  restore(document: Json): void;
}

type Mutable = Record<string, Json>;

// No document has it: JSON has no lone surrogates but as escapes nobody writes.
const MARK = '\uDC00specgate';

export function createMasks(): Masks {
  const hidden: Json[] = [];

  return {
    hide(document) {
      const ahead: [Json, string][] = [[document, '']];
      for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
        const [value, pointer] = next;
        if (typeof value !== 'object' || value === null) continue;
        for (const [key, member] of Object.entries(value)) {
          const at = joinPointer(pointer, key);
          if (!isLiteral(splitPointer(at))) ahead.push([member as Json, at]);
          else if (mentionsReference(member as Json)) {
            (value as Mutable)[key] = `${MARK}${hidden.push(member as Json) - 1}`;
          }
        }
      }
    },
    restore(document) {
      if (hidden.length === 0) return;
      const seen = new Set<object>();
      const ahead: Json[] = [document];
      for (let value = ahead.pop(); value !== undefined; value = ahead.pop()) {
        if (typeof value !== 'object' || value === null || seen.has(value)) continue;
        seen.add(value);
        for (const [key, member] of Object.entries(value)) {
          if (typeof member === 'string' && member.startsWith(MARK)) {
            (value as Mutable)[key] = hidden[Number(member.slice(MARK.length))]!;
          } else ahead.push(member as Json);
        }
      }
    },
  };
}

function mentionsReference(root: Json): boolean {
  const ahead: Json[] = [root];
  for (let value = ahead.pop(); value !== undefined; value = ahead.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if ('$ref' in value) return true;
    ahead.push(...(Object.values(value) as Json[]));
  }
  return false;
}
