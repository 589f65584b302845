import { LineCounter } from 'yaml';
import { splitPointer } from '../../common/json/pointer.ts';
import type { Position } from './source.ts';

/** A member or an element: the offset of its name or value, and its parts. */
interface Part {
  readonly offset: number;
  readonly below: Map<string, Part> | Part[] | null;
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[[\]{}]|[^\s"[\]{},:]+/g;

/** Returns a function that locates pointers in a valid JSON text, like `locateYaml`, but faster. */
export function createJsonLocator(text: string): (pointer: string) => Position {
  const root = readParts(text);
  // It searches the line of an offset in logarithmic time.
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
  return (pointer) => {
    let part = root;
    for (const token of splitPointer(pointer)) {
      const { below } = part;
      const next = Array.isArray(below) ? below[Number(token)] : below?.get(token);
      if (next === undefined) break;
      part = next;
    }
    const { line, col } = lines.linePos(part.offset);
    return { line, column: col };
  };
}

function readParts(text: string): Part {
  let root: Part = { offset: 0, below: null };
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
  return root;
}
