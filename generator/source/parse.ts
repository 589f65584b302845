import { parseDocument, LineCounter, type Document, type YAMLParseError } from 'yaml';
import { DocumentError, type Problem } from '../problem/problem.ts';
import { parseExact, printBigInts } from '../json/exact.ts';
import type { Json } from '../json/value.ts';
import { listBeyond, hasBeyond, type BeyondNumber } from './beyond-numbers.ts';
import { offsetTooDeep, pointerTooDeep, TOO_DEEP } from './depth.ts';
import { locate } from './position.ts';
import { repeatedInJson, repeatedInYaml, type RepeatedName } from './repeated-names.ts';
import type { Position, Source, SourceText } from './source.ts';

/**
 * Parses JSON, or YAML where the name (.yaml, .yml) or, for want of a telling name, the first
 * character says so.
 *
 * @throws DocumentError naming every syntax error and every name that an object has twice, with line
 *   and column, or where the document is nested too deep
 */
export function parseSource(source: SourceText): Source {
  const text = source.text.startsWith('\uFEFF') ? source.text.slice(1) : source.text;
  const value = isYaml(source.name, text) ? parseYaml(source, text) : parseJson(source, text);
  let tree: Document | undefined;
  const lines = new LineCounter();
  return {
    name: source.name,
    url: source.url,
    text,
    value,
    // Positions are wanted only once something is wrong, so the text is parsed for them only then.
    positionOf(pointer: string): Position {
      tree ??= parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: 'silent' });
      return locate(tree, pointer, lines);
    },
  };
}

function isYaml(name: string, text: string): boolean {
  const path = name.replace(/[?#].*$/, '');
  if (/\.ya?ml$/i.test(path)) return true;
  return !/\.json$/i.test(path) && !/^\s*[{[]/.test(text);
}

function parseJson(source: SourceText, text: string): Json {
  const complaint = complaintAbout(text);
  if (complaint === null) {
    const offset = offsetTooDeep(text);
    if (offset !== null) throw tooDeep(source, positionAt(text, offset));
    refuseRepeated(source, repeatedInJson(text), (at) => positionAt(text, at));
    const value = parseExact(text);
    if (hasBeyond(value)) {
      refuseBeyond(source, listBeyond(parseDocument(text)), (at) => positionAt(text, at));
    }
    return value;
  }
  const what = lowerFirst(
    complaint.replace(/(?: in JSON)? at position.*$/s, '').replace(/, .*$/s, ''),
  );
  const position = positionAt(text, firstBadCharacter(text));
  throw new DocumentError([syntaxProblem(source, `not valid JSON: ${what}`, position)]);
}

/** What JSON.parse says against `text`, or null. */
function complaintAbout(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

// JSON.parse gives a position with only some of its messages. What it says of the beginnings of the
// text tells it: up to the bad character they are merely unfinished, from there on they are wrong.
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
  const complaint = complaintAbout(beginning);
  if (complaint === null || complaint === 'Unexpected end of JSON input') return true;
  return Number(/ position (\d+)/.exec(complaint)?.[1] ?? -1) >= beginning.length;
}

function parseYaml(source: SourceText, text: string): Json {
  const lines = new LineCounter();
  const tree = parseTree(source, text, lines);
  const overflow = tree.errors.find(({ message }) => /call stack/i.test(message));
  if (overflow !== undefined) {
    const { line, col } = lines.linePos(overflow.pos[0]);
    throw tooDeep(source, { line, column: col });
  }
  if (tree.errors.length > 0) {
    throw new DocumentError(tree.errors.map((error) => yamlProblem(source, error, lines)));
  }
  const positionOf = (at: number): Position => {
    const { line, col } = lines.linePos(at);
    return { line, column: col };
  };
  refuseRepeated(source, repeatedInYaml(tree), positionOf);
  refuseBeyond(source, listBeyond(tree), positionOf);
  const value = toJson(source, tree);
  const pointer = pointerTooDeep(value);
  if (pointer !== null) throw tooDeep(source, locate(tree, pointer, lines));
  return value;
}

// The parser of YAML calls itself at every level: too many end in an error of its own, or a thrown one.
function parseTree(source: SourceText, text: string, lineCounter: LineCounter): Document {
  try {
    return parseDocument(text, {
      lineCounter,
      intAsBigInt: true,
      // Of YAML 1.1, and what editors and other tools of YAML 1.2 keep to.
      merge: true,
      // Names that are given twice are told with their pointers, as those of JSON are.
      uniqueKeys: false,
      prettyErrors: false,
      // 'silent' would pass over a second document. Nothing is logged either way.
      logLevel: 'error',
    });
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(source, { line: 1, column: 1 });
    throw error;
  }
}

function toJson(source: SourceText, tree: Document): Json {
  try {
    // Through JSON text, so that aliases become copies and nothing but JSON is left.
    return parseExact(printBigInts(tree.toJS()) ?? 'null');
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(source, { line: 1, column: 1 });
    const what = `not usable as JSON: ${lowerFirst((error as Error).message.split('\n')[0]!)}`;
    throw new DocumentError([syntaxProblem(source, what, { line: 1, column: 1 })]);
  }
}

function yamlProblem(source: SourceText, error: YAMLParseError, lines: LineCounter): Problem {
  const { line, col } = lines.linePos(error.pos[0]);
  const position = { line, column: col };
  if (error.code !== 'MULTIPLE_DOCS') {
    return syntaxProblem(source, `not valid YAML: ${lowerFirst(error.message)}`, position);
  }
  const what = 'a second YAML document begins here, and only one can be read';
  const mend = 'put each into a file of its own, or remove the "---" before it';
  return { what, mend, file: source.name, ...position, pointer: null };
}

/** @throws DocumentError for names that stand in an object twice */
function refuseRepeated(
  { name: file }: SourceText,
  repeated: readonly RepeatedName[],
  positionOf: (offset: number) => Position,
): void {
  if (repeated.length === 0) return;
  throw new DocumentError(
    repeated.map(({ name, pointer, offset, firstOffset }) => {
      const first = positionOf(firstOffset);
      const what = `${JSON.stringify(name)} is in this object already (at ${first.line}:${first.column})`;
      const mend = 'keep one of them: readers of JSON differ in which one counts';
      return { what, mend, file, ...positionOf(offset), pointer };
    }),
  );
}

/** @throws DocumentError for numbers that cannot be held, and would be lost without a word */
function refuseBeyond(
  source: SourceText,
  beyond: readonly BeyondNumber[],
  positionOf: (offset: number) => Position,
): void {
  if (beyond.length === 0) return;
  const mend = 'write one below 1.8e308, or leave the bound out';
  throw new DocumentError(
    beyond.map(({ written, offset }) => {
      const what = `${shorten(written)} is no number that readers of JSON can hold`;
      return { what, mend, file: source.name, ...positionOf(offset), pointer: null };
    }),
  );
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}…` : text;
}

function tooDeep(source: SourceText, position: Position): DocumentError {
  return new DocumentError([{ ...TOO_DEEP, file: source.name, ...position, pointer: null }]);
}

function syntaxProblem(source: SourceText, what: string, position: Position): Problem {
  const mend = 'correct the syntax there';
  return { what, mend, file: source.name, ...position, pointer: null };
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
