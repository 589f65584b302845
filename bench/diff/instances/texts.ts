/** Texts made after patterns. */

interface Letters {
  readonly chance: () => number;
  readonly letter?: () => string;
}

const LETTERS = [...'abcdefABCDEF0123456789xXzZ_ -.:/1111'];

/** The greatest length of a text that is made. */
const MAX_LONG = 200;

/** A text after a schema's lengths and pattern. */
export function textOf(chance: () => number, schema: object): string {
  const { minLength = 0, maxLength, pattern } = schema as Record<string, never>;
  const letter = () => LETTERS[Math.floor(chance() * LETTERS.length)]!;
  const most = Math.min(maxLength ?? minLength + 4, minLength + 8);
  // Beside short texts, those at the greatest length and beyond it.
  const isLong = maxLength !== undefined && maxLength <= MAX_LONG && chance() < 0.2;
  const length = isLong
    ? maxLength + Math.floor(chance() * 2)
    : minLength + Math.floor(chance() * (most - minLength + 2));
  const free = () => Array.from({ length }, letter).join('');
  if (typeof pattern !== 'string' || chance() < 0.1) return free();
  return textLike(pattern, { chance, letter });
}

/** A text after a pattern, by reading the pattern as a template. */
export function textLike(
  source: string,
  { chance, letter = () => LETTERS[Math.floor(chance() * LETTERS.length)]! }: Letters,
): string {
  const alternatives = /^\^?\(([^()]*)\)\$?$/.exec(source)?.[1]?.split('|');
  if (alternatives !== undefined) return alternatives[Math.floor(chance() * alternatives.length)]!;
  const choice = source
    .replace(/\(\?:/g, '(')
    .replace(/\(([^()|]*)\|[^()]*\)/g, (_, first: string) => first);
  const flat = choice.replace(/[()^$]/g, '').split('|');
  const chosen = flat[Math.floor(chance() * flat.length)]!;
  const part = /(\[[^\]]*\]|\\.|[^\\])(\{\d+(?:,\d*)?\}|[*+?])?/gs;
  return chosen.replace(part, (_, atom: string, quantifier = '') => {
    const [from, to] = timesOf(quantifier as string);
    const off = chance() < 0.05 ? 1 : 0;
    const count = from + Math.floor(chance() * (to - from + 1)) + off;
    return Array.from({ length: count }, () => characterOf(atom, letter)).join('');
  });
}

function timesOf(quantifier: string): readonly [number, number] {
  if (quantifier === '') return [1, 1];
  if (quantifier === '?') return [0, 1];
  if (quantifier === '*') return [0, 3];
  if (quantifier === '+') return [1, 4];
  const [least = 0, most] = quantifier.slice(1, -1).split(',');
  if (most === undefined) return [Number(least), Number(least)];
  return [Number(least), most === '' ? Number(least) + 3 : Number(most)];
}

function characterOf(atom: string, letter: () => string): string {
  if (!atom.startsWith('[') && !atom.startsWith('\\') && atom !== '.') return atom;
  const expression = new RegExp(`^${atom}$`);
  for (let tries = 0; tries < 60; tries += 1) {
    const candidate = letter();
    if (expression.test(candidate)) return candidate;
  }
  return 'a';
}
