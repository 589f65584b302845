import { isMap, isScalar, isSeq, type Document } from 'yaml';
import { joinPointer } from '../../common/json/pointer.ts';

/** A member that an object has already: of the two, readers of JSON take now this, now that. */
export interface RepeatedName {
  readonly name: string;
  /** Of the member. */
  readonly pointer: string;
  /** Where in the text the name stands again, and where it stood first. */
  readonly offset: number;
  readonly firstOffset: number;
}

/** An object or an array that the scan is within. */
interface Level {
  /** Where each name of an object was first; null for an array. */
  readonly names: Map<string, number> | null;
  /** Of the member or element that the scan is in. */
  at: string | number;
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[[\]{},]/g;

/** The members of a valid JSON text whose names repeat an earlier one (RFC 8259, section 4). */
export function repeatedInJson(text: string): readonly RepeatedName[] {
  const repeated: RepeatedName[] = [];
  const levels: Level[] = [];
  for (const { 0: token, 1: colon, index: offset } of text.matchAll(TOKENS)) {
    const level = levels.at(-1);
    if (token === '{') levels.push({ names: new Map(), at: '' });
    else if (token === '[') levels.push({ names: null, at: 0 });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',') {
      if (typeof level?.at === 'number') level.at += 1;
    } else if (colon !== undefined && level?.names) {
      const name = JSON.parse(token.slice(0, -colon.length)) as string;
      level.at = name;
      const firstOffset = level.names.get(name);
      if (firstOffset === undefined) level.names.set(name, offset);
      else repeated.push({ name, pointer: pointerOf(levels), offset, firstOffset });
    }
  }
  return repeated;
}

function pointerOf(levels: readonly Level[]): string {
  return levels.reduce((pointer, { at }) => joinPointer(pointer, at), '');
}

/** The same of a YAML text: keys that are one name once they are JSON (`1` and `"1"`) count too. */
export function repeatedInYaml(tree: Document): readonly RepeatedName[] {
  const repeated: RepeatedName[] = [];
  const ahead: [unknown, string][] = [[tree.contents, '']];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [node, pointer] = next;
    if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) ahead.push([item, `${pointer}/${index}`]);
    }
    if (!isMap(node)) continue;
    const names = new Map<string, number>();
    for (const { key, value } of node.items) {
      // Merge keys are symbols: each adds what it names.
      if (!isScalar(key) || typeof key.value === 'symbol') continue;
      const name = String(key.value ?? '');
      const at = joinPointer(pointer, name);
      const offset = key.range?.[0] ?? 0;
      const firstOffset = names.get(name);
      if (firstOffset === undefined) names.set(name, offset);
      else repeated.push({ name, pointer: at, offset, firstOffset });
      ahead.push([value, at]);
    }
  }
  return repeated.toSorted((a, b) => a.offset - b.offset);
}
