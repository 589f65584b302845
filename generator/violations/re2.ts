import { RE2JS } from 're2js';
import { membersOf, type Tokens } from './plain-pattern.ts';

/**
 * Maximum size of the states that all expressions keep on RE2, of which a character may add one; then all
 * of them are forgotten. RE2 itself limits those of one expression to 8 MiB.
 */
const MAX_STATES_BYTES = 64 * 1024 * 1024;
let states_bytes = 0;
const withStates = new Set<Re2Expression>();

/** Size of a state without its tables: an entry for each step, and one for each class of characters. */
const STATE_BYTES = 240;
const ENTRY_BYTES = 8;

/** A class of Unicode divides all characters into about this many classes. */
const UNICODE_CLASSES = 1_400;

/** An expression that RE2 runs. */
export class Re2Expression {
  readonly steps: number;
  readonly #source: string;
  readonly #state_bytes: number;
  #expression: RE2JS | undefined;

  constructor(source: string) {
    this.#source = source;
    this.#expression = RE2JS.compile(source);
    this.steps = this.#expression.programSize();
    const classes = 2 * source.length + UNICODE_CLASSES * (source.match(/\\p/gi)?.length ?? 0);
    this.#state_bytes = STATE_BYTES + ENTRY_BYTES * (this.steps + classes);
  }

  test(text: string): boolean {
    states_bytes += this.#state_bytes * (text.length + 1);
    if (states_bytes > MAX_STATES_BYTES) {
      states_bytes = 0;
      for (const each of withStates) each.forget();
      withStates.clear();
    }
    withStates.add(this);
    this.#expression ??= RE2JS.compile(this.#source);
    return this.#expression.test(text);
  }

  /** Forgets the states; the expression is compiled again. */
  forget(): void {
    this.#expression = undefined;
  }
}

/** ECMAScript's `\s` inside brackets; RE2 knows only the first five. */
const SPACES = String.raw`\t\n\f\r \v\x{a0}\x{feff}\x{2028}\x{2029}\p{Zs}`;
const LINE_ENDS = String.raw`\n\r\x{2028}\x{2029}`;

/** Translates an expression to the syntax of RE2, or returns null when that is not possible. */
export function toRe2(tokens: Tokens): string | null {
  return translateAll(tokens, (token) =>
    token.startsWith('[') ? translateSet(token) : outerToken(token),
  );
}

function translateAll(tokens: Tokens, translate: (token: string) => string | null): string | null {
  let written = '';
  for (const token of tokens) {
    const next = translate(token);
    if (next === null) return null;
    written += next;
  }
  return written;
}

/** Translates a set in brackets. */
function translateSet(set: string): string | null {
  if (/^\[(?:\\s\\S|\\S\\s|\^)\]$/.test(set)) return '(?s:.)';
  const members = membersOf(set);
  // RE2 reads the end of an empty set as its first member.
  const written = members.length === 0 ? null : translateAll(members, bracketToken);
  return written && `[${set.startsWith('[^') ? '^' : ''}${written}]`;
}

function outerToken(token: string): string | null {
  if (token === '.') return `[^${LINE_ENDS}]`;
  if (token === String.raw`\s`) return `[${SPACES}]`;
  if (token === String.raw`\S`) return `[^${SPACES}]`;
  if (/^\\[bBdDwW]$/.test(token)) return token;
  if (token.startsWith('(?<') && !/[=!]$/.test(token)) return '(?:';
  if (token.startsWith('(?')) return token === '(?:' ? token : null;
  return token.startsWith('\\') ? escapeToken(token) : token;
}

function bracketToken(token: string): string | null {
  if (token === String.raw`\s`) return SPACES;
  if (token === String.raw`\b`) return String.raw`\x08`;
  if (/^\\[dDwW]$/.test(token)) return token;
  // RE2 reads nested brackets as a class name.
  if (token.startsWith('[')) return token === '[' ? String.raw`\[` : null;
  return token.startsWith('\\') ? escapeToken(token) : token;
}

function escapeToken(token: string): string | null {
  const [, digits] = /^\\[ux]\{?([\da-f]+)\}?$/i.exec(token) ?? [];
  // The meaning of a lone surrogate depends on its neighbor.
  if (digits !== undefined) return /^d[89a-f]..$/i.test(digits) ? null : `\\x{${digits}}`;
  if (token === String.raw`\0`) return String.raw`\x00`;
  return /^\\(?:[nrtfv]|[^\w\s]|[pP]\{.*\})$/u.test(token) ? token : null;
}
