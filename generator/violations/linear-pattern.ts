import { RE2JS } from 're2js';
import { pattern } from '../../common/validators-runtime/helpers.js';
import { MatchAllowance } from './match-allowance.ts';
import { runWithin, TIMED_OUT } from './time-limit.ts';

/** The part of a RegExp that validators use. */
export interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/**
 * Time limits of a match that only JavaScript's engine can run, which may never end: for the first try,
 * and for the second, so that a busy machine does not fail it.
 */
const SCRIPT_LIMITS_MS = [100, 500];

/**
 * Time limits of a match in RE2, which always ends, but may run all steps of an expression per character.
 */
const RE2_LIMITS_MS = [250, 1_000];

/** Maximum number of steps, and of steps times characters, that RE2 runs without a time limit. */
const MAX_FREE_STEPS = 1_000;
const MAX_FREE_WORK = 10_000_000;

/** Shared by all expressions: one request may have many texts, for many expressions. */
let allowance = newAllowance();

function newAllowance(): MatchAllowance {
  return new MatchAllowance(() => performance.now(), usedMs);
}

/** An expression with this many timed-out matches is no longer run. */
const MAX_TIMEOUTS = 2;

/**
 * Compiles an untrusted expression so that no untrusted text can block the process. Uses RE2, which
 * takes linear time. Features that RE2 lacks (lookaround, back references, more than 1,000
 * repetitions) run as JavaScript with a time limit, and within the allowance of the process; so do
 * expressions that would take too much memory. Large expressions and texts have such limits in RE2
 * too. A text that exceeds a limit counts as a match, and so does every text for an expression that is
 * too large.
 *
 * @throws SyntaxError when the expression is not valid in JavaScript
 */
export function linearPattern(source: string, flags: string): Pattern {
  const key = `${flags}/${source}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  if (compiled.size >= MAX_COMPILED) {
    compiled.clear();
    stepsLeft = MAX_STEPS;
  }
  const made = compile(source, flags);
  compiled.set(key, made);
  return made;
}

/** Returns processor time, because a pause on a busy machine must not count as a slow match. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1_000;
}

/** Forgets all expressions and what their matches took. For tests, which share a process. */
export function forgetPatterns(): void {
  compiled.clear();
  stepsLeft = MAX_STEPS;
  allowance = newAllowance();
}

const compiled = new Map<string, Pattern>();
const MAX_COMPILED = 1000;

/**
 * The steps of RE2 that all known expressions together may have: each takes hundreds of bytes, and a
 * repetition of a few characters stands for a thousand.
 */
const MAX_STEPS = 200_000;
let stepsLeft = MAX_STEPS;

function compile(source: string, flags: string): Pattern {
  const native = pattern(source, flags);
  if (isPlain(native)) return native;
  const linear = linearTest(native);
  const limited = limitedTest((text) => tryMatch(native, text), SCRIPT_LIMITS_MS);
  // Without the flag "u" JavaScript reads a surrogate pair as two characters, unlike RE2.
  const isLinear = (text: string): boolean => native.unicode || !/[\ud800-\udfff]/.test(text);
  return {
    test: (text) => (linear !== null && isLinear(text) ? linear(text) : limited(text)),
    toString: () => native.toString(),
  };
}

/** An expression with more steps runs on RE2: JavaScript may try all of them at each character. */
const MAX_PLAIN_STEPS = 100;

/**
 * Checks whether JavaScript also runs an expression in linear time: no groups or branches other than
 * simple lookarounds, and either no repetition, or an anchored start and at most one of varying length in
 * a short expression.
 */
function isPlain(native: RegExp): boolean {
  if (isMisread(native)) return false;
  const tokens = withoutLookarounds(native.source.match(TOKEN) ?? []);
  if (tokens.some((token) => /^(?:[(|]|\\[1-9k])/.test(token))) return false;
  const varying = tokens.filter((token) => /^(?:[*+?]|\{\d+,.*)$/.test(token)).length;
  if (tokens[0] !== '^') return varying === 0 && stepsOf(tokens) <= MAX_PLAIN_STEPS;
  return varying === 0 || (varying === 1 && stepsOf(tokens) <= MAX_PLAIN_STEPS);
}

/**
 * Leaves out lookaheads right after the anchor, because each runs only once and in linear time. Also
 * leaves out the parentheses of lookarounds that hold only single characters: each character is a step.
 */
function withoutLookarounds(tokens: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let leading = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    const inner = lookaroundAt(tokens, index);
    const repeated = inner?.filter((token) => /^[*+?]/.test(token)).length ?? 0;
    const isLeading = kept.length === 1 && kept[0] === '^' && leading < MAX_LEADING;
    if (inner === null || repeated > Number(isLeading)) {
      kept.push(tokens[index]!);
      continue;
    }
    if (repeated === 0) kept.push(...inner);
    else leading += 1;
    index += inner.length + 1;
  }
  return kept;
}

/** Maximum number of leading lookaheads that are left out: each may read the whole text. */
const MAX_LEADING = 8;

/** Returns the tokens in a short lookaround without groups, branches and counted repetitions, or null. */
function lookaroundAt(tokens: readonly string[], index: number): readonly string[] | null {
  if (!/^\(\?<?[=!]$/.test(tokens[index]!)) return null;
  const next = tokens.slice(index + 1, index + 1 + MAX_PLAIN_STEPS);
  const length = next.findIndex((token) => /^(?:[()|]|\{\d)/.test(token));
  const isWhole = next[length] === ')' && !/^(?:[*+?]|\{\d)/.test(next[length + 1] ?? '');
  return isWhole ? next.slice(0, length) : null;
}

/** The number of tokens, with fixed repetitions written out. */
function stepsOf(tokens: readonly string[]): number {
  return tokens.reduce((sum, token) => sum + Number(/^\{(\d+)/.exec(token)?.[1] ?? 1), 0);
}

/** Returns about how many steps RE2 compiles an expression to: it writes repetitions out. */
function writtenOut(tokens: readonly string[]): number {
  const sums = [0];
  let last = 0;
  let isInBrackets = false;
  for (const token of tokens) {
    if (isInBrackets) {
      isInBrackets = token !== ']';
      continue;
    }
    isInBrackets = token === '[';
    if (token.startsWith('(')) {
      sums.push(0);
      continue;
    }
    const [, least, most] = /^\{(\d+)(?:,(\d*))?\}$/.exec(token) ?? [];
    if (token === ')') last = sums.pop()! + 1;
    else last = least === undefined ? 1 : last * Number(most || least);
    sums[sums.length - 1]! += last;
  }
  return sums[0]!;
}

const TOKEN =
  /\[(?:\\s\\S|\\S\\s|\^)\]|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\p\{[^}]*\}|\\c[a-z]|\\.|\(\?(?:<?[=!]|<[^=!>][^>]*>|[^)]?)|\{\d+(?:,\d*)?\}|[^]/giu;

/** Checks for tokens with a different meaning without the flag "u": `\p` and `\u` are letters then. */
function isMisread({ source, unicode }: RegExp): boolean {
  return !unicode && /\\(?:[pP]|u\{)/.test(source);
}

function linearTest(native: RegExp): Pattern['test'] | null {
  if (isMisread(native)) return null;
  const { source } = native;
  const translated = toRe2(source);
  if (translated === null || stepsLeft < writtenOut(source.match(TOKEN) ?? [])) return null;
  try {
    let expression = RE2JS.compile(translated);
    const steps = expression.programSize();
    stepsLeft -= steps;
    const run: Pattern['test'] = (text) => expression.test(text);
    const limited = limitedTest(run, RE2_LIMITS_MS, () => {
      // The state that it keeps of an interrupted match may be incomplete.
      expression = RE2JS.compile(translated);
    });
    return (text) =>
      steps <= MAX_FREE_STEPS && steps * text.length <= MAX_FREE_WORK ? run(text) : limited(text);
  } catch {
    return null;
  }
}

function limitedTest(
  run: Pattern['test'],
  limits_ms: readonly number[],
  onTimeout = () => {},
): Pattern['test'] {
  let timeouts = 0;
  return (text) => {
    if (timeouts >= MAX_TIMEOUTS) return true;
    for (const limit_ms of limits_ms) {
      if (allowance.isSpent()) return true;
      const isMatch = allowance.charge(() => runWithin(limit_ms, () => run(text)));
      if (isMatch !== TIMED_OUT) return isMatch;
      onTimeout();
    }
    timeouts += 1;
    return true;
  };
}

/** Returns true for an expression that is too large for JavaScript's engine to run. */
function tryMatch(native: RegExp, text: string): boolean {
  try {
    return native.test(text);
  } catch (error) {
    // V8 compiles an expression with its first match, and reports too many nested groups then.
    if (error instanceof RangeError || error instanceof SyntaxError) return true;
    throw error;
  }
}

/** ECMAScript's `\s` inside brackets; RE2 knows only the first five. */
const SPACES = String.raw`\t\n\f\r \v\x{a0}\x{feff}\x{2028}\x{2029}\p{Zs}`;
const LINE_ENDS = String.raw`\n\r\x{2028}\x{2029}`;

/** Translates an expression to the syntax of RE2, or returns null when that is not possible. */
function toRe2(source: string): string | null {
  let written = '';
  let isInBrackets = false;
  for (const token of source.match(TOKEN) ?? []) {
    const next = isInBrackets ? bracketToken(token) : outerToken(token);
    if (next === null) return null;
    written += next;
    if (token === '[') isInBrackets = true;
    else if (token === ']') isInBrackets = false;
  }
  // RE2 reads the end of empty brackets as their first member.
  return /\[\^?\]/.test(written.replaceAll(/\\./gs, 'x')) ? null : written;
}

function outerToken(token: string): string | null {
  if (/^\[./.test(token)) return '(?s:.)';
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
