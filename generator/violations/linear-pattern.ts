import { usedMs } from '../../common/validation-time.ts';
import { countCall, countSteps, pattern } from '../../common/validators-runtime/helpers.js';
import { BacktrackingExpression } from './backtracking-expression.ts';
import { MatchAllowance } from './match-allowance.ts';
import { isMisread, isPlain, isSmall, type Tokens, tokensOf, writtenOut } from './plain-pattern.ts';
import { Re2Expression, toRe2 } from './re2.ts';
import { runWithin, TIMED_OUT } from './time-limit.ts';

/** The part of a RegExp that validators use. */
export interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/**
 * Time limits of a match by backtracking, which may never end: for the first try, and for the second, so
 * that a busy machine does not fail it.
 */
const BACKTRACKING_LIMITS_MS = [100, 300];

/**
 * Time limits of a match in RE2, which always ends, but may run all steps of an expression per character.
 */
const RE2_LIMITS_MS = [250, 500];

/**
 * Maximum number of steps of an expression, and of its steps times characters, that RE2 runs without a limit
 * of its own.
 */
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
 * Compiles an untrusted expression so that neither it nor an untrusted text can block the process. V8
 * runs the plain ones. Others use RE2, which takes linear time. Features that RE2 lacks (lookaround, back
 * references, more than 1,000 repetitions) are matched by backtracking with a time limit, and within the
 * allowance of the process; so are expressions that would take too much memory. Large expressions and
 * texts have such limits in RE2 too; all other matches but the shortest count towards the allowance. A
 * text that exceeds a limit counts as a match, and so does every text for an expression that is too large.
 *
 * A match counts as a part of a call between schemas, so that many expressions cannot each be matched
 * with many texts.
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

/** Forgets all expressions and what their matches took. For tests, which share a process. */
export function forgetPatterns(): void {
  compiled.clear();
  stepsLeft = MAX_STEPS;
  allowance = newAllowance();
}

const compiled = new Map<string, Pattern>();
const MAX_COMPILED = 1000;

/**
 * The steps that all known expressions together may have, on RE2 and of the others: each takes hundreds of
 * bytes, and on RE2 a repetition of a few characters stands for a thousand.
 */
const MAX_STEPS = 200_000;
let stepsLeft = MAX_STEPS;

function compile(source: string, flags: string): Pattern {
  const native = pattern(source, flags);
  const tokens = tokensOf(native.source);
  const match =
    isSmall(tokens) && isPlain(native) ? plainTest(native, tokens) : engineTest(native, tokens);
  return {
    test(text) {
      countTest();
      return match(text);
    },
    toString: () => native.toString(),
  };
}

/** Matches that count as one call between schemas, of which a validation has a limited number. */
const MATCHES_PER_CALL = 2;
let matches = 0;

function countTest(): void {
  matches += 1;
  if (matches % MATCHES_PER_CALL === 0) countCall();
}

/**
 * Steps of a match, which takes about as long as the same number of keywords, so that a caller can limit the
 * steps of many validations. A match with a time limit of its own starts a timer. The work of any other is the
 * size of the expression times the characters.
 */
const LIMITED_MATCH_STEPS = 1_000;
const FREE_MATCH_STEPS = 8;
const WORK_PER_STEP = 256;

/** The tokens of an expression times characters that JavaScript runs without a charge. */
const MAX_PLAIN_WORK = 500;

function plainTest(native: RegExp, { length }: Tokens): Pattern['test'] {
  const run: Pattern['test'] = (text) => native.test(text);
  let isCompiled = false;
  return (text) => {
    if (isCompiled && length * text.length <= MAX_PLAIN_WORK) return run(text);
    isCompiled = true;
    return freeTest(run, text, length);
  };
}

/** Runs a match without a limit of its own, as long as all of them are within their allowance. */
function freeTest(run: Pattern['test'], text: string, size: number): boolean {
  countSteps(FREE_MATCH_STEPS + (size * text.length) / WORK_PER_STEP);
  return allowance.isFreeSpent() || allowance.chargeFree(() => run(text));
}

function engineTest(native: RegExp, tokens: Tokens): Pattern['test'] {
  // Compiled when it is first used: a document may have thousands of expressions, each takes milliseconds.
  let linear: Pattern['test'] | null | undefined;
  let limited: Pattern['test'] = (text) => {
    limited = backtrackingTest(native);
    return limited(text);
  };
  // Without the flag "u" JavaScript reads a surrogate pair as two characters, unlike RE2.
  const isLinear = (text: string): boolean => native.unicode || !/[\ud800-\udfff]/.test(text);
  return (text) => {
    if (linear === undefined) linear = linearTest(native, tokens);
    return linear !== null && isLinear(text) ? linear(text) : limited(text);
  };
}

function linearTest(native: RegExp, tokens: Tokens): Pattern['test'] | null {
  if (isMisread(native)) return null;
  const translated = toRe2(tokens);
  if (translated === null || stepsLeft < writtenOut(tokens)) return null;
  try {
    const expression = new Re2Expression(translated);
    const { steps } = expression;
    stepsLeft -= steps;
    const run: Pattern['test'] = (text) => expression.test(text);
    // The state that it keeps of an interrupted match may be incomplete.
    const limited = limitedTest(run, RE2_LIMITS_MS, () => expression.forget());
    return (text) =>
      steps <= MAX_FREE_STEPS && steps * text.length <= MAX_FREE_WORK
        ? freeTest(run, text, steps)
        : limited(text);
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
      countSteps(LIMITED_MATCH_STEPS);
      const isMatch = allowance.charge(() => runWithin(limit_ms, () => run(text)));
      if (isMatch !== TIMED_OUT) return isMatch;
      onTimeout();
    }
    timeouts += 1;
    return true;
  };
}

const matchAll: Pattern['test'] = () => true;

function backtrackingTest({ source, flags }: RegExp): Pattern['test'] {
  // V8 compiles each set of characters, once however often it is repeated.
  if (!isSmall(tokensOf(source), 1)) return matchAll;
  const expression = BacktrackingExpression.compile(source, flags);
  if (expression === null || expression.size > stepsLeft) return matchAll;
  stepsLeft -= expression.size;
  const run: Pattern['test'] = (text) => {
    try {
      return expression.test(text);
    } catch (error) {
      // It needs too much memory.
      if (error instanceof RangeError) return true;
      throw error;
    }
  };
  return limitedTest(run, BACKTRACKING_LIMITS_MS, () => expression.forget());
}
