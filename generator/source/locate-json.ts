import { splitPointer } from '../../common/json/pointer.ts';
import type { Position } from './source.ts';

/** A member or an element: where its name or, for want of one, its value stands, and what is in it. */
interface Part {
  readonly offset: number;
  readonly below: Map<string, Part> | Part[] | null;
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[[\]{}]|[^\s"[\]{},:]+/g;

/**
 * Locates pointers in a valid JSON text, as `locate` does for YAML: the name of a member, the
 * value of an element, or the nearest part above it that exists.
 */
export function createJsonLocator(text: string): (pointer: string) => Position {
  const root = readParts(text);
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return (pointer) => {
    let part = root;
    for (const token of splitPointer(pointer)) {
      const next = stepInto(part, token);
      if (next === undefined) break;
      part = next;
    }
    const line = lineAt(starts, part.offset);
    return { line, column: part.offset - starts[line - 1]! + 1 };
  };
}

function readParts(text: string): Part {
  let root: Part | undefined;
  let name = '';
  let nameOffset = 0;
  const levels: (Map<string, Part> | Part[])[] = [];
  const put = (offset: number, below: Part['below']): void => {
    const level = levels.at(-1);
    if (level === undefined) root = { offset, below };
    else if (Array.isArray(level)) level.push({ offset, below });
    else if (!level.has(name)) level.set(name, { offset: nameOffset, below });
    if (below !== null) levels.push(below);
  };
  for (const { 0: token, 1: colon, index } of text.matchAll(TOKENS)) {
    if (token === '{') put(index, new Map());
    else if (token === '[') put(index, []);
    else if (token === '}' || token === ']') levels.pop();
    else if (colon === undefined) put(index, null);
    else {
      name = JSON.parse(token.slice(0, -colon.length)) as string;
      nameOffset = index;
    }
  }
  return root ?? { offset: 0, below: null };
}

function stepInto({ below }: Part, token: string): Part | undefined {
  return Array.isArray(below) ? below[Number(token)] : below?.get(token);
}

/** The line of an offset, from 1: the last that starts at or before it. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
