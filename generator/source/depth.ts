import { joinPointer } from '../../common/json/pointer.ts';
import type { Json } from '../../common/json/value.ts';

/**
 * Objects and arrays within one another, at most. Written documents stay below 40; what is nested
 * deeper than this would be too deep for the compilers that read what is generated.
 */
export const MAX_DEPTH = 128;

export const TOO_DEEP = {
  message: `nested deeper than ${MAX_DEPTH} objects and arrays within one another`,
  fix: 'give inner schemas a name in components.schemas, and refer to them',
};

/** Where in a valid JSON text the first object or array stands that is too deep; null for none. */
export function offsetTooDeep(text: string): number | null {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > MAX_DEPTH) return index;
  }
  return null;
}

/** Pointer to an object or array in `root` that is too deep; null when none is. */
export function pointerTooDeep(root: Json): string | null {
  const ahead: [Json, string, number][] = [[root, '', 1]];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [value, pointer, depth] = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) return pointer;
    for (const [key, member] of Object.entries(value)) {
      ahead.push([member as Json, joinPointer(pointer, key), depth + 1]);
    }
  }
  return null;
}
