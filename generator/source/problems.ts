import { isMap, isNode, isScalar, isSeq, visit, type Document } from 'yaml';
import {
  DocumentError,
  unusable,
  type Diagnostic,
  type Location,
} from '../../common/diagnostic.ts';
import { joinPointer, splitPointer, walkJson } from '../../common/json/pointer.ts';
import type { Json } from '../../common/json/value.ts';
import type { Position, SourceText } from './source.ts';

/** A problem at an offset of a text. */
interface Problem extends Pick<Diagnostic, 'message' | 'fix'> {
  readonly offset: number;
  readonly pointer?: string;
}

/** Receives the repeated names of a document; without it, they are thrown. */
export type OnRepeated = (diagnostics: readonly Diagnostic[]) => void;

/** Maximum number of errors that are listed. Texts that have more are not read to the end. */
export const MAX_ERRORS = 1000;

/** Returns an error for the place of the first one that is not listed. */
export function furtherErrors(location: Location): Diagnostic {
  const message = `more than ${MAX_ERRORS} errors; the others are not shown`;
  return unusable(location, { message, fix: 'correct those that are listed, and run it again' });
}

/** @throws DocumentError for the problems, if there are any: for at most `MAX_ERRORS` of them */
export function refuse(
  source: SourceText,
  problems: readonly Problem[],
  positionOf: (offset: number) => Position,
): void {
  if (problems.length > 0) throw new DocumentError(locate(source, problems, positionOf));
}

/** Passes repeated names to `onRepeated`, or throws them. */
export function refuseRepeated(
  source: SourceText,
  problems: readonly Problem[],
  how: {
    readonly positionOf: (offset: number) => Position;
    readonly onRepeated: OnRepeated | undefined;
  },
): void {
  const { positionOf, onRepeated } = how;
  // Nesting that is too deep has no pointer.
  const isRepeated = problems.every(({ pointer }) => pointer !== undefined);
  const isRefused = onRepeated === undefined || !isRepeated || problems.length > MAX_ERRORS;
  if (isRefused) refuse(source, problems, positionOf);
  else if (problems.length > 0) onRepeated(locate(source, problems, positionOf));
}

function locate(
  { name: file }: SourceText,
  problems: readonly Problem[],
  positionOf: (offset: number) => Position,
): readonly Diagnostic[] {
  const [next] = problems.slice(MAX_ERRORS);
  const listed = problems
    .slice(0, MAX_ERRORS)
    .map(({ offset, pointer = null, ...says }) =>
      unusable({ file, ...positionOf(offset), pointer }, says),
    );
  if (next === undefined) return listed;
  return [...listed, furtherErrors({ file, ...positionOf(next.offset), pointer: null })];
}

export function syntaxProblem(language: string, message: string, offset: number): Problem {
  const reason = message.charAt(0).toLowerCase() + message.slice(1);
  return {
    message: `invalid ${language}: ${reason}`,
    fix: 'correct the syntax at this position',
    offset,
  };
}

/**
 * Maximum depth of objects and arrays. Hand-written documents stay below 40; deeper ones are too deep
 * for the compilers of generated code.
 */
export const MAX_DEPTH = 128;

export const TOO_DEEP = {
  message: `nested deeper than ${MAX_DEPTH} objects and arrays`,
  fix: 'move inner schemas to components.schemas and refer to them',
};

export function tooDeep(source: SourceText, position: Position): DocumentError {
  return new DocumentError([unusable({ file: source.name, ...position, pointer: null }, TOO_DEEP)]);
}

/** Returns the pointer to an object or array that is too deep, or null. */
export function pointerTooDeep(root: Json): string | null {
  for (const [value, pointer] of walkJson(root)) {
    const isContainer = typeof value === 'object' && value !== null;
    if (isContainer && splitPointer(pointer).length >= MAX_DEPTH) return pointer;
  }
  return null;
}

/** An object or an array that contains the current position of a scan. */
interface Level {
  /** Offset of each name of an object; null for an array. */
  readonly names: Map<string, number> | null;
  /** Name of the current member, or index of the current element. */
  at: string | number;
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"?(\s*:)?|[[\]{},]/g;

/**
 * Lists what a valid JSON text must not have: nesting that is too deep, or members whose names repeat an
 * earlier one (RFC 8259, section 4).
 */
export function findJsonProblems(
  text: string,
  positionOf: (offset: number) => Position,
): readonly Problem[] {
  const repeated: Problem[] = [];
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
      const first = level.names.get(name);
      if (first === undefined) level.names.set(name, offset);
      else {
        const pointer = levels.reduce((parent, { at }) => joinPointer(parent, at), '');
        repeated.push(repeatedName(name, { pointer, offset, first: positionOf(first) }));
        if (repeated.length > MAX_ERRORS) return repeated;
      }
    }
    if (levels.length > MAX_DEPTH) return [{ ...TOO_DEEP, offset }];
  }
  return repeated;
}

/** Lists the repeated names of a YAML text. Keys are compared as JSON: `1` and `"1"` are equal. */
export function findRepeatedInYaml(
  tree: Document,
  positionOf: (offset: number) => Position,
): readonly Problem[] {
  const repeated: Problem[] = [];
  const stack: [unknown, string][] = [[tree.contents, '']];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [node, parent] = next;
    if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) stack.push([item, `${parent}/${index}`]);
    }
    if (!isMap(node)) continue;
    const names = new Map<string, number>();
    for (const { key, value } of node.items) {
      // Merge keys are symbols and may repeat.
      if (!isScalar(key) || typeof key.value === 'symbol') continue;
      const name = String(key.value ?? '');
      const pointer = joinPointer(parent, name);
      const offset = key.range?.[0] ?? 0;
      const first = names.get(name);
      if (first === undefined) names.set(name, offset);
      else repeated.push(repeatedName(name, { pointer, offset, first: positionOf(first) }));
      stack.push([value, pointer]);
    }
  }
  return repeated.toSorted((a, b) => a.offset - b.offset);
}

function repeatedName(
  name: string,
  { first, ...place }: { pointer: string; offset: number; first: Position },
): Problem {
  const message = `duplicate name ${JSON.stringify(name)} (first at ${first.line}:${first.column})`;
  return {
    message,
    fix: 'remove one of them: JSON parsers differ in which one they use',
    ...place,
  };
}

/**
 * Lists what JSON cannot represent: numbers such as 1e400 and .nan, which would become `null`, and keys that
 * are lists, maps or aliases, which would become their YAML text.
 */
export function findNotInJson(tree: Document): readonly Problem[] {
  const found: Problem[] = [];
  visit(tree, {
    Pair(_, { key }) {
      if (!isNode(key) || isScalar(key)) return;
      const message = `this key is ${isMap(key) ? 'a map' : isSeq(key) ? 'a list' : 'an alias'}; JSON has only text`;
      found.push({ message, fix: 'write the key as text', offset: key.range?.[0] ?? 0 });
    },
    Scalar(_, { value, source, range }) {
      if (typeof value !== 'number' || Number.isFinite(value)) return;
      const written = source ?? String(value);
      const text = written.length > 40 ? `${written.slice(0, 37)}…` : written;
      const fix = 'write a number below 1.8e308, or remove the bound';
      found.push({
        message: `${text} cannot be represented in JSON`,
        fix,
        offset: range?.[0] ?? 0,
      });
    },
  });
  return found;
}
