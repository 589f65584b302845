import { MAX_CODE_POINT } from './characters.ts';
import { addCuts, derive } from './derivative.ts';
import type { Expression, Expressions } from './expression.ts';

/** Maximum number of states of a language to search. */
const MAX_STATES = 4000;

/** `undefined`: the language is too large to decide. */
export type FoundString = string | null | undefined;

/** Returns a shortest string of the language, of simple characters if possible, or null. */
export function findString(make: Expressions, expression: Expression): FoundString {
  const reached = new Map<Expression, { from: Expression | null; codePoint: number }>();
  reached.set(expression, { from: null, codePoint: 0 });
  // Iterating a map includes entries that are added meanwhile.
  for (const [state] of reached) {
    if (state.acceptsEmpty) return spell(reached, state);
    if (reached.size > MAX_STATES) return undefined;
    for (const codePoint of representatives(make, state)) {
      const next = derive(make, state, codePoint);
      if (next === make.nothing || reached.has(next)) continue;
      reached.set(next, { from: state, codePoint });
    }
  }
  return null;
}

/** Readable characters, which are tried first. */
const PLAIN = [...'a0xzAZ19 -_.'].map((each) => each.codePointAt(0)!);

function representatives(make: Expressions, state: Expression): readonly number[] {
  const cuts = new Set([0]);
  addCuts(make, state, cuts);
  const starts = [...cuts].sort((a, b) => a - b);
  const all = starts.map((from, index) =>
    choose(from, (starts[index + 1] ?? MAX_CODE_POINT + 1) - 1),
  );
  const rank = (codePoint: number) => {
    const index = PLAIN.indexOf(codePoint);
    if (index >= 0) return index;
    return codePoint > 32 && codePoint < 127 ? 100 : 1000;
  };
  return all.sort((a, b) => rank(a) - rank(b));
}

function choose(from: number, to: number): number {
  const plain = PLAIN.find((codePoint) => from <= codePoint && codePoint <= to);
  if (plain !== undefined) return plain;
  if (from < 33 && to >= 33) return 33;
  // Half of a surrogate pair is not a character and cannot be written as UTF-8.
  return from >= 0xd800 && from <= 0xdfff && to > 0xdfff ? 0xe000 : from;
}

function spell(
  reached: ReadonlyMap<Expression, { from: Expression | null; codePoint: number }>,
  end: Expression,
): string {
  const codePoints: number[] = [];
  for (let at = reached.get(end)!; at.from !== null; at = reached.get(at.from)!) {
    codePoints.push(at.codePoint);
  }
  return codePoints
    .toReversed()
    .map((codePoint) => String.fromCodePoint(codePoint))
    .join('');
}
