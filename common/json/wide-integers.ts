import type { Json } from './value.ts';

/** An integer of 16 or more digits in a JSON text, and where it is in the parsed value. */
export interface WideInteger {
  readonly holder: object;
  /** Name of the member or index of the element. */
  readonly key: string;
  /** The integer as it is written. */
  readonly source: string;
}

/** An object or array that contains the current place of the text. */
interface Level {
  /** Undefined until an integer is found in it; null if the parsed value does not have it. */
  holder: object | null | undefined;
  isArray: boolean;
  /** Index of the current element. */
  index: number;
  /** Where the name of the current member is written, with its quotes. */
  nameStart: number;
  nameEnd: number;
}

const MIN_DIGITS = 16;
const WIDE_INTEGER = /^-?\d{16,}$/;

const [QUOTE, COMMA, MINUS, PLUS, POINT] = [0x22, 0x2c, 0x2d, 0x2b, 0x2e];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Finds the wide integers of a valid JSON text in `root`, its parsed value. A reviver of `JSON.parse` finds
 * them too, but needs a hundred times as much time, and memory for the source of every value.
 */
export function* findWideIntegers(text: string, root: Json): Generator<WideInteger> {
  const levels: Level[] = [];
  let depth = -1;
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const start = at;
      at = endOfString(text, at);
      if (!isName) continue;
      isName = false;
      levels[depth]!.nameStart = start;
      levels[depth]!.nameEnd = at + 1;
    } else if (code === COMMA) {
      const level = levels[depth]!;
      if (level.isArray) level.index += 1;
      else isName = true;
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      isName = code === OPEN_OBJECT;
      open(levels, depth, !isName);
      if (depth === 0) levels[0]!.holder = root as object;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      depth -= 1;
      isName = false;
    } else if (isOfNumber(code) && depth >= 0) {
      const start = at;
      while (isOfNumber(text.charCodeAt(at + 1))) at += 1;
      if (at + 1 - start < MIN_DIGITS) continue;
      const source = text.slice(start, at + 1);
      if (!WIDE_INTEGER.test(source)) continue;
      const holder = resolve(levels, depth, text);
      const key = keyOf(levels[depth]!, text);
      // Of members with the same name, the parsed value has only the last one.
      if (holder !== null && memberOf(holder, key) === Number(source))
        yield { holder, key, source };
    }
  }
}

/** Levels are used again: a text may have millions of objects. */
function open(levels: Level[], depth: number, isArray: boolean): void {
  const level = levels[depth];
  if (level === undefined) {
    levels.push({ holder: undefined, isArray, index: 0, nameStart: 0, nameEnd: 0 });
  } else {
    level.holder = undefined;
    level.isArray = isArray;
    level.index = 0;
  }
}

/** Returns the object or array of the innermost level. Each is looked up once. */
function resolve(levels: readonly Level[], depth: number, text: string): object | null {
  let known = depth;
  while (levels[known]!.holder === undefined) known -= 1;
  for (; known < depth; known += 1) {
    const holder = levels[known]!.holder!;
    const below = holder === null ? null : memberOf(holder, keyOf(levels[known]!, text));
    levels[known + 1]!.holder = typeof below === 'object' ? below : null;
  }
  return levels[depth]!.holder!;
}

function keyOf({ isArray, index, nameStart, nameEnd }: Level, text: string): string {
  return isArray ? String(index) : (JSON.parse(text.slice(nameStart, nameEnd)) as string);
}

function memberOf(holder: object, key: string): Json | undefined {
  return Object.hasOwn(holder, key) ? (holder as Readonly<Record<string, Json>>)[key] : undefined;
}

/** Checks whether a character may be part of a number; `E` and `e` are. */
function isOfNumber(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    code === MINUS ||
    code === POINT ||
    code === PLUS ||
    code === 0x65 ||
    code === 0x45
  );
}

/** Returns the index of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    let first = at;
    while (text[first - 1] === '\\') first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
}
