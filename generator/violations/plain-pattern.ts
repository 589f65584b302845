/** The tokens of an expression, from left to right; a set in brackets is one. */
export type Tokens = readonly string[];

/** A set is one token, because what it holds is not syntax. */
const TOKEN =
  /\[(?:\\[^]|[^\]\\])*\]|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\p\{[^}]*\}|\\c[a-z]|\\.|\(\?(?:<?[=!]|<[^=!>][^>]*>|[^)]?)|\{\d+(?:,\d*)?\}|[^]/giu;

/** Returns the tokens of a valid expression that is not misread. */
export function tokensOf(source: string): Tokens {
  return source.match(TOKEN) ?? [];
}

const MEMBER = /\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\p\{[^}]*\}|\\c[a-z]|\\.|[^]/giu;

/** Returns the tokens between the brackets of a set, which must not be syntax of expressions. */
export function membersOf(set: string): Tokens {
  return set.replaceAll(/^\[\^?|\]$/g, '').match(MEMBER) ?? [];
}

/** Checks for tokens with a different meaning without the flag "u": `\p` and `\u` are letters then. */
export function isMisread({ source, unicode }: RegExp): boolean {
  return !unicode && /\\(?:[pP]|u\{)/.test(source);
}

/**
 * Maximum number of steps that JavaScript may try at each character of a text: the steps after the
 * repetitions, or all steps of an expression without an anchor. With more steps, an expression runs on RE2.
 */
const MAX_PLAIN_STEPS = 16;

/** Maximum number of tokens in a lookaround that is left out. */
const MAX_LOOKAROUND_TOKENS = 100;

/**
 * Checks whether JavaScript also runs an expression in linear time: no groups or branches other than
 * simple lookarounds, and either no repetition, or an anchored start and at most one of varying length
 * with few steps after it.
 */
export function isPlain(native: RegExp): boolean {
  if (isMisread(native)) return false;
  const { tokens, repeated } = withoutLookarounds(tokensOf(native.source));
  if (tokens.some((token) => /^(?:[(|]|\\[1-9k])/.test(token))) return false;
  const first = tokens.findIndex(isVarying);
  if (tokens[0] !== '^') return first < 0 && stepsOf(tokens) <= MAX_PLAIN_STEPS;
  const rest = first < 0 ? [] : tokens.slice(first + 1);
  return !rest.some(isVarying) && repeated + stepsOf(rest) <= MAX_PLAIN_STEPS;
}

function isVarying(token: string): boolean {
  return /^(?:[*+?]|\{\d+,.*)$/.test(token);
}

/** Maximum number of leading lookaheads that are left out: each may read the whole text. */
const MAX_LEADING = 8;

/**
 * Leaves out lookaheads right after the anchor, because each runs only once and in linear time. Also leaves
 * out the parentheses of lookarounds that hold only single characters: each character is a step. `repeated`
 * is the number of steps after the repetitions in the tokens left out.
 */
function withoutLookarounds(tokens: Tokens): {
  readonly tokens: Tokens;
  readonly repeated: number;
} {
  const kept: string[] = [];
  let leading = 0;
  let repeated = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    const inner = lookaroundAt(tokens, index);
    const first = inner?.findIndex(isVarying) ?? -1;
    const rest = first < 0 ? [] : inner!.slice(first + 1);
    const isLeading = kept.length === 1 && kept[0] === '^' && leading < MAX_LEADING;
    if (inner === null || rest.some(isVarying) || (first >= 0 && !isLeading)) {
      kept.push(tokens[index]!);
      continue;
    }
    if (first < 0) kept.push(...inner);
    else {
      leading += 1;
      repeated += stepsOf(rest);
    }
    index += inner.length + 1;
  }
  return { tokens: kept, repeated };
}

/** Returns the tokens in a short lookaround without groups, branches and counted repetitions, or null. */
function lookaroundAt(tokens: Tokens, index: number): Tokens | null {
  if (!/^\(\?<?[=!]$/.test(tokens[index]!)) return null;
  const next = tokens.slice(index + 1, index + 1 + MAX_LOOKAROUND_TOKENS);
  const length = next.findIndex((token) => /^(?:[()|]|\{\d)/.test(token));
  const isWhole = next[length] === ')' && !/^(?:[*+?]|\{\d)/.test(next[length + 1] ?? '');
  return isWhole ? next.slice(0, length) : null;
}

/** The number of tokens, with fixed repetitions written out. */
function stepsOf(tokens: Tokens): number {
  return tokens.reduce((sum, token) => sum + Number(/^\{(\d+)/.exec(token)?.[1] ?? 1), 0);
}

/** Returns about how many steps RE2 compiles an expression to: it writes repetitions out. */
export function writtenOut(tokens: Tokens): number {
  return workOf(tokens, { ofToken: () => 1, maxRepeats: Infinity });
}

/** Maximum work of an expression that JavaScript may run: V8 compiles it in dozens of milliseconds. */
const MAX_SCRIPT_WORK = 1_000;

/** V8 writes out repetitions up to this number. */
const MAX_SCRIPT_REPEATS = 3;

/** Work of a class of Unicode, which stands for hundreds of ranges, and of a set of all other characters. */
const CLASS_WORK = 8;
const REST_WORK = 2;

/**
 * Checks whether V8 compiles an expression, or its parts one by one if repetitions are not written out, soon.
 * It does so in the first match, which cannot be interrupted.
 */
export function isSmall(tokens: Tokens, maxRepeats = MAX_SCRIPT_REPEATS): boolean {
  const ofToken = (token: string): number => {
    const classes = token.match(/\\p/gi)?.length ?? 0;
    return classes * CLASS_WORK + (/^(?:\.|\[\^|\\[SWD])/.test(token) ? REST_WORK : 1);
  };
  return workOf(tokens, { ofToken, maxRepeats }) <= MAX_SCRIPT_WORK;
}

/** Adds up the work of the tokens of an expression, with repetitions written out. */
function workOf(
  tokens: Tokens,
  {
    ofToken,
    maxRepeats,
  }: { readonly ofToken: (token: string) => number; readonly maxRepeats: number },
): number {
  const sums = [0];
  let last = 0;
  for (const token of tokens) {
    if (token.startsWith('(')) {
      sums.push(0);
      continue;
    }
    const [, least, most] = /^\{(\d+)(?:,(\d*))?\}$/.exec(token) ?? [];
    if (token === ')') last = sums.pop()! + 1;
    else if (least === undefined) last = ofToken(token);
    else last *= Math.min(Number(most || least), maxRepeats);
    sums[sums.length - 1]! += last;
  }
  return sums[0]!;
}
