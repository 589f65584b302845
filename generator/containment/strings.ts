import { formats } from '../../common/validators-runtime/formats.js';
import { linearPattern } from '../violations/linear-pattern.ts';
import type { Budget } from './budget.ts';
import { EMPTY, unknown, type Literal, type Outcome } from './goal.ts';
import { anyCharacter } from './regular/characters.ts';
import { createExpressions, type Expression } from './regular/expression.ts';
import { languageOfPattern } from './regular/pattern-language.ts';
import { findString, type FoundString } from './regular/search.ts';

export type Languages = ReturnType<typeof createLanguages>;

/** Creates a cache of the languages of patterns and of the strings found in them. */
export function createLanguages() {
  const make = createExpressions();
  const byPattern = new Map<string, Expression | null>();
  const found = new Map<Expression, FoundString>();
  return {
    make,
    ofPattern(source: string): Expression | null {
      if (!byPattern.has(source)) byPattern.set(source, languageOfPattern(make, source));
      return byPattern.get(source)!;
    },
    find(expression: Expression): FoundString {
      if (!found.has(expression)) found.set(expression, findString(make, expression));
      return found.get(expression);
    },
  };
}

/** Patterns of our own formats; not every match is a public key. */
const FORMAT_PATTERNS: ReadonlyMap<string, readonly string[]> = new Map([
  ['base58', ['^[1-9A-HJ-NP-Za-km-z]*$']],
  ['base64', ['^(?:[A-Za-z0-9+/=]{4})*$', '^[A-Za-z0-9+/]*={0,2}$']],
  ['solana-public-key', ['^[1-9A-HJ-NP-Za-km-z]{32,44}$']],
]);
const PUBLIC_KEYS = [
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'SysvarC1ock11111111111111111111111111111111',
];

/** Minimum number of steps that a search in a language counts as. */
const STEPS_PER_SEARCH = 20;
/** Maximum number of expression steps in one search, and how many of them count as one step. */
const MAX_EXPRESSION_STEPS = 200_000;
const EXPRESSION_STEPS_PER_STEP = 100;
const TOO_LONG = 'the patterns or lengths are too large to compare';

/** Finds a string that satisfies literals about strings. */
export function findText(
  literals: readonly Literal[],
  { languages, budget }: { readonly languages: Languages; readonly budget: Budget },
): Outcome {
  if (budget.isSpent) return unknown(TOO_LONG);
  const { result, steps } = languages.make.bounded(MAX_EXPRESSION_STEPS, () =>
    searchText(literals, languages),
  );
  budget.spend(STEPS_PER_SEARCH + Math.floor(steps / EXPRESSION_STEPS_PER_STEP));
  return result ?? unknown(TOO_LONG);
}

function searchText(literals: readonly Literal[], languages: Languages): Outcome {
  const { make } = languages;
  const parts: Expression[] = [];
  const unclear: Literal[] = [];
  for (const literal of literals) {
    if (contradictsItself(literal, literals)) return EMPTY;
    const { within, isAll } = languageOfLiteral(literal, languages);
    for (const each of within) parts.push(each);
    if (!isAll) unclear.push(literal);
  }
  const whole = make.and(parts);
  const text = languages.find(whole);
  if (text === null) return EMPTY;
  if (text === undefined) return unknown(TOO_LONG);
  if (unclear.length === 0) return { is: 'inhabited', value: text };
  for (const value of candidatesOf(whole, { text, languages })) {
    if (literals.every((literal) => holdsFor(literal, value))) return { is: 'inhabited', value };
  }
  return unknown(reasonOf(unclear));
}

function contradictsItself(literal: Literal, literals: readonly Literal[]): boolean {
  if (literal.says !== 'pattern' && literal.says !== 'format') return false;
  return literals.some(
    (other) =>
      other.says === literal.says && other.text === literal.text && other.is !== literal.is,
  );
}

interface Clarity {
  /** Languages that contain every string that satisfies the literal. */
  readonly within: readonly Expression[];
  /** True if every string in all of these languages satisfies the literal. */
  readonly isAll: boolean;
}

const UNCLEAR: Clarity = { within: [], isAll: false };

function languageOfLiteral(literal: Literal, languages: Languages): Clarity {
  const { make } = languages;
  switch (literal.says) {
    case 'size':
      return { within: [make.repeat(make.characters(anyCharacter), literal)], isAll: true };
    case 'pattern': {
      const language = languages.ofPattern(literal.text);
      if (language === null) return UNCLEAR;
      return { within: [literal.is ? language : make.not(language)], isAll: true };
    }
    case 'format':
      return languageOfFormat(literal, languages);
    case 'not-among': {
      const texts = literal.values.filter((value) => typeof value === 'string');
      return { within: texts.map((text) => make.not(make.literal(text))), isAll: true };
    }
    default:
      return { within: [], isAll: true };
  }
}

function languageOfFormat(
  { text, is }: { readonly text: string; readonly is: boolean },
  { make, ofPattern }: Languages,
): Clarity {
  const patterns = FORMAT_PATTERNS.get(text);
  // An unknown format does not exclude any value, and its violation cannot be decided.
  if (patterns === undefined) return is ? { within: [], isAll: true } : UNCLEAR;
  const language = make.and(patterns.map((each) => ofPattern(each)!));
  const isExact = text !== 'solana-public-key';
  if (is) return { within: [language], isAll: isExact };
  return isExact ? { within: [make.not(language)], isAll: true } : UNCLEAR;
}

/** Yields strings to try; those that have to be searched for come last. */
function* candidatesOf(
  whole: Expression,
  found: { readonly text: string; readonly languages: Languages },
): Generator<string> {
  yield found.text;
  yield* PUBLIC_KEYS;
  yield* moreStrings(whole, found);
}

/** Yields up to 8 other strings of a language, each different from all before. */
function* moreStrings(
  whole: Expression,
  { text, languages }: { readonly text: string; readonly languages: Languages },
): Generator<string> {
  const { make } = languages;
  let rest = whole;
  let last = text;
  for (let count = 0; count < 8; count += 1) {
    rest = make.and([rest, make.not(make.literal(last))]);
    const next = languages.find(rest);
    if (typeof next !== 'string') return;
    yield next;
    last = next;
  }
}

function holdsFor(literal: Literal, text: string): boolean {
  switch (literal.says) {
    case 'size': {
      const length = [...text].length;
      return literal.least <= length && length <= literal.most;
    }
    case 'pattern':
      return linearPattern(literal.text, 'u').test(text) === literal.is;
    case 'format':
      return (formats[literal.text]?.(text) ?? true) === literal.is;
    case 'not-among':
      return !literal.values.includes(text);
    default:
      return true;
  }
}

function reasonOf(unclear: readonly Literal[]): string {
  const texts = unclear.map((literal) => {
    if (literal.says === 'format') {
      return `which strings have the format "${literal.text}" (generated validators do not check it, others may)`;
    }
    return literal.says === 'pattern' ? `what the pattern ${literal.text} matches` : '';
  });
  return `it is unknown ${[...new Set(texts)].filter((each) => each !== '').join(' and ')}`;
}
