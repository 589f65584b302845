import { DocumentError } from '../../common/diagnostic.ts';
import { parseDocument } from 'yaml';
import { parseExact } from '../../common/json/exact.ts';
import type { Json } from '../../common/json/value.ts';
import { hasBeyond, listBeyond } from './beyond-numbers.ts';
import { offsetTooDeep } from './depth.ts';
import { lowerFirst, refuseBeyond, refuseRepeated, syntaxProblem, tooDeep } from './refuse.ts';
import { repeatedInJson } from './repeated-names.ts';
import type { Position, SourceText } from './source.ts';

/**
 * The value of a JSON text; `source` is where it comes from.
 *
 * @throws DocumentError with the places of what is wrong: the first syntax error, or names an object
 *   has twice, numbers out of range, nesting that is too deep
 */
export function parseJson(source: SourceText, text: string): Json {
  const diagnostic = syntaxError(text);
  if (diagnostic === null) {
    const offset = offsetTooDeep(text);
    if (offset !== null) throw tooDeep(source, positionAt(text, offset));
    refuseRepeated(source, repeatedInJson(text), (at) => positionAt(text, at));
    const value = parseExact(text);
    if (hasBeyond(value)) {
      refuseBeyond(source, listBeyond(parseDocument(text)), (at) => positionAt(text, at));
    }
    return value;
  }
  const message = lowerFirst(
    diagnostic.replace(/(?: in JSON)? at position.*$/s, '').replace(/, .*$/s, ''),
  );
  const position = positionAt(text, firstBadCharacter(text));
  throw new DocumentError([syntaxProblem(source, `not valid JSON: ${message}`, position)]);
}

/** What JSON.parse says against `text`, or null. */
function syntaxError(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

// JSON.parse gives a position with only some of its messages. What it says of the beginnings of the
// text shows it: up to the bad character they are merely unfinished, from there on they are wrong.
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

function isUnfinished(beginning: string): boolean {
  const diagnostic = syntaxError(beginning);
  if (diagnostic === null || diagnostic === 'Unexpected end of JSON input') return true;
  return Number(/ position (\d+)/.exec(diagnostic)?.[1] ?? -1) >= beginning.length;
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
