import { type Diagnostic, DocumentError, unusable } from '../../common/diagnostic.ts';
import { LineCounter, parseDocument, type Document, type YAMLParseError } from 'yaml';
import { parseExact, printBigInts } from '../../common/json/exact.ts';
import type { Json } from '../../common/json/value.ts';
import { listBeyond } from './beyond-numbers.ts';
import { findCircularAlias } from './circular-alias.ts';
import { pointerTooDeep } from './depth.ts';
import { locate } from './position.ts';
import { lowerFirst, refuseBeyond, refuseRepeated, syntaxProblem, tooDeep } from './refuse.ts';
import { repeatedInYaml } from './repeated-names.ts';
import type { Position, SourceText } from './source.ts';

/**
 * The value of a YAML text as JSON; `source` is where it comes from.
 *
 * @throws DocumentError with the places of what is wrong: every syntax error, or names an object has
 *   twice, numbers out of range, a second document, nesting that is too deep
 */
export function parseYaml(source: SourceText, text: string): Json {
  const lines = new LineCounter();
  const tree = parseTree(source, text, lines);
  const overflow = tree.errors.find(({ message }) => /call stack/i.test(message));
  if (overflow !== undefined) {
    const { line, col } = lines.linePos(overflow.pos[0]);
    throw tooDeep(source, { line, column: col });
  }
  const errors = tree.errors.filter((error) => !isEmptyDocument(error, text));
  if (errors.length > 0) {
    throw new DocumentError(errors.map((error) => yamlProblem(source, error, lines)));
  }
  const positionOf = (at: number): Position => {
    const { line, col } = lines.linePos(at);
    return { line, column: col };
  };
  refuseRepeated(source, repeatedInYaml(tree), positionOf);
  refuseBeyond(source, listBeyond(tree), positionOf);
  const value = toJson(source, tree, positionOf);
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
      // Duplicate names are reported with their pointers, as in JSON.
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

function toJson(source: SourceText, tree: Document, positionOf: (at: number) => Position): Json {
  try {
    // Through JSON text, so that aliases become copies and nothing but JSON is left.
    return parseExact(printBigInts(tree.toJS()) ?? 'null');
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(source, { line: 1, column: 1 });
    throw aliasError(source, { tree, positionOf, message: (error as Error).message });
  }
}

/** Why a tree with valid syntax is not JSON: circular aliases, or too many of them. */
function aliasError(
  source: SourceText,
  how: {
    readonly tree: Document;
    readonly positionOf: (at: number) => Position;
    readonly message: string;
  },
): DocumentError {
  const at = findCircularAlias(how.tree);
  const message =
    at === null
      ? `not usable as JSON: ${lowerFirst(how.message.split('\n')[0]!)}`
      : 'this alias stands for something it is within itself, which JSON cannot say';
  const fix =
    at === null
      ? 'write out what the aliases stand for'
      : 'give the schema a name in components.schemas, and refer to it by $ref';
  const position = how.positionOf(at ?? 0);
  return new DocumentError([
    unusable({ file: source.name, ...position, pointer: null }, { message, fix }),
  ]);
}

/** A line that adds nothing: the mark of a document's beginning or end, a comment, or neither. */
const EMPTY_LINE = /^(?:---|\.\.\.)?(?:(?:^|[ \t])[ \t]*#.*|[ \t]*)$/;

/**
 * Whether "a second document" is one that holds nothing (YAML 1.2.2, 9.1.4): it is clear which of the
 * two is meant, and tools that join texts leave a "---" at the end.
 */
function isEmptyDocument({ code, pos }: YAMLParseError, text: string): boolean {
  if (code !== 'MULTIPLE_DOCS') return false;
  return text
    .slice(pos[0])
    .split(/\r?\n/)
    .every((line) => EMPTY_LINE.test(line));
}

function yamlProblem(source: SourceText, error: YAMLParseError, lines: LineCounter): Diagnostic {
  const { line, col } = lines.linePos(error.pos[0]);
  const position = { line, column: col };
  if (error.code !== 'MULTIPLE_DOCS') {
    return syntaxProblem(source, `not valid YAML: ${lowerFirst(error.message)}`, position);
  }
  const message = 'a second YAML document begins here, and only one can be read';
  const fix = 'put each into a file of its own, or remove the "---" before it';
  return unusable({ file: source.name, ...position, pointer: null }, { message, fix });
}
