import { LineCounter, parseDocument } from 'yaml';
import { parseExact } from '../../common/json/exact.ts';
import { walkJson } from '../../common/json/pointer.ts';
import type { Json } from '../../common/json/value.ts';
import {
  findJsonProblems,
  findNotInJson,
  refuse,
  refuseRepeated,
  syntaxProblem,
  type OnRepeated,
} from './problems.ts';
import type { Position, SourceText } from './source.ts';

/**
 * Parses the JSON text of a document.
 *
 * @throws DocumentError for the first syntax error, or for repeated names, numbers out of range, or
 *   nesting that is too deep
 */
export function parseJson(source: SourceText, text: string, onRepeated?: OnRepeated): Json {
  const positionOf = positionsIn(text);
  const error = syntaxError(text);
  if (error !== null) {
    const reason = error.replace(/(?: in JSON)? at position.*$/s, '').replace(/, .*$/s, '');
    refuse(source, [syntaxProblem('JSON', reason, firstBadCharacter(text))], positionOf);
  }
  refuseRepeated(source, findJsonProblems(text, positionOf), { positionOf, onRepeated });
  const value = parseExact(text);
  if (hasWrongNumber(value)) {
    // Repeated names were found above; the library would compare each name with all others.
    const tree = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' });
    refuse(source, findNotInJson(tree), positionOf);
  }
  return value;
}

/** Returns a function from offsets of a text to positions; lines are counted on first use. */
function positionsIn(text: string): (offset: number) => Position {
  let lines: LineCounter | undefined;
  return (offset) => {
    lines ??= countLines(text);
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
}

function countLines(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
  return lines;
}

function hasWrongNumber(root: Json): boolean {
  for (const [value] of walkJson(root)) {
    if (typeof value === 'number' && !Number.isFinite(value)) return true;
  }
  return false;
}

function syntaxError(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

// Only some messages of JSON.parse have a position. A binary search over the prefixes of the text finds
// it: a prefix that ends before the bad character is unfinished, a longer one is invalid.
function firstBadCharacter(text: string): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isUnfinished(text.slice(0, middle + 1))) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isUnfinished(prefix: string): boolean {
  const error = syntaxError(prefix);
  if (error === null || error === 'Unexpected end of JSON input') return true;
  return Number(/ position (\d+)/.exec(error)?.[1] ?? -1) >= prefix.length;
}
