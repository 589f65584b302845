/**
 * Parses ECMAScript regular expressions as far as is needed to generate matching texts: lookarounds and
 * back-references are ignored.
 */

export type Node =
  | { readonly kind: 'any'; readonly source: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'group'; readonly branches: readonly (readonly Term[])[] };

export interface Term {
  readonly node: Node;
  readonly min: number;
  readonly max: number;
}

/** Longer expressions are not parsed. */
const MAX_LENGTH = 5000;

const MAX_NESTING = 50;

/** The branches of a valid expression; null when it is too long or too deep. */
export function parseExpression(source: string): Node | null {
  if (source.length > MAX_LENGTH) return null;
  const reader = { source, at: 0, depth: 0 };
  const branches = readBranches(reader);
  return branches === null ? null : { kind: 'group', branches };
}

interface Reader {
  readonly source: string;
  at: number;
  depth: number;
}

function readBranches(reader: Reader): readonly (readonly Term[])[] | null {
  if (reader.depth > MAX_NESTING) return null;
  const branches: Term[][] = [[]];
  while (reader.at < reader.source.length && reader.source[reader.at] !== ')') {
    if (reader.source[reader.at] === '|') {
      reader.at += 1;
      branches.push([]);
      continue;
    }
    const node = readNode(reader);
    if (node === null) return null;
    branches.at(-1)!.push({ node, ...readQuantifier(reader) });
  }
  return branches;
}

function readNode(reader: Reader): Node | null {
  const { source, at } = reader;
  if (source[at] === '(') return readGroup(reader);
  const [text] =
    /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[\w=]+\}|\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\k<[^>]*>|\\c[A-Za-z]|\\.|[^])/su.exec(
      source.slice(at),
    )!;
  reader.at += text.length;
  return /^(?:[\^$]|\\[bBk1-9])/.test(text) ? { kind: 'nothing' } : { kind: 'any', source: text };
}

function readGroup(reader: Reader): Node | null {
  const [head] = /^\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/.exec(reader.source.slice(reader.at))!;
  reader.at += head.length;
  reader.depth += 1;
  const branches = readBranches(reader);
  reader.depth -= 1;
  reader.at += 1;
  if (branches === null) return null;
  return /[=!]$/.test(head) ? { kind: 'nothing' } : { kind: 'group', branches };
}

function readQuantifier(reader: Reader): { readonly min: number; readonly max: number } {
  const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(reader.source.slice(reader.at));
  if (found === null) return { min: 1, max: 1 };
  reader.at += found[0].length;
  const [, sign, low, comma, high] = found;
  if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
  const min = Number(low);
  if (comma === undefined) return { min, max: min };
  return { min, max: high === '' ? Infinity : Number(high) };
}

/** The characters tried, the plainest first. */
const CHARACTERS = [
  ...'a0A -_./:@',
  ...Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)),
  '\n',
  ...'é€жあ中😀',
];

/** A short text that the node matches; null when none is found. */
export function sampleOf(node: Node): string | null {
  if (node.kind === 'nothing') return '';
  if (node.kind === 'any') return characterOf(node.source);
  for (const branch of node.branches) {
    const sample = sampleOfTerms(branch);
    if (sample !== null) return sample;
  }
  return null;
}

const MAX_REPEATS = 100;

/** Repetitions within repetitions multiply. */
const MAX_SAMPLE_LENGTH = 10_000;

/** A short text that the terms match in a row; null when none is found. */
export function sampleOfTerms(terms: readonly Term[]): string | null {
  let text = '';
  for (const { node, min } of terms) {
    const sample = min === 0 ? '' : sampleOf(node);
    if (sample === null || min > MAX_REPEATS) return null;
    if (text.length + sample.length * min > MAX_SAMPLE_LENGTH) return null;
    text += sample.repeat(min);
  }
  return text;
}

function characterOf(source: string): string | null {
  return charactersOf(source).next().value ?? null;
}

/** Yields characters that a set or an escape matches: some of those it may match, the plainest first. */
export function* charactersOf(source: string): Generator<string, undefined> {
  const expression = toExpression(`^(?:${source})$`);
  if (expression === null) return;
  for (const characters of [CHARACTERS, charactersIn(source)]) {
    for (const character of characters) if (expression.test(character)) yield character;
  }
}

/** A character or its escape by code point. */
const NAMED = /\\u\{([\da-f]+)\}|\\u([\da-f]{4})|\\x([\da-f]{2})|[^]/giu;

const MAX_CODE_POINT = 0x10_ffff;

/** The characters that an expression names. */
function* charactersIn(source: string): Generator<string> {
  for (const [character, ...escapes] of source.matchAll(NAMED)) {
    const escape = escapes.find((each) => each !== undefined);
    const codePoint = Number.parseInt(escape ?? '', 16);
    if (escape === undefined) yield character;
    else if (codePoint <= MAX_CODE_POINT) yield String.fromCodePoint(codePoint);
  }
}

/**
 * Compiles an expression as validators do: with the "u" flag if it is valid with it. Null when invalid.
 */
export function toExpression(source: string): RegExp | null {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      continue;
    }
  }
  return null;
}
