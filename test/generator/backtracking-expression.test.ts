import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toExpression } from '../../common/pattern/expression.ts';
import { BacktrackingExpression } from '../../generator/violations/backtracking-expression.ts';
import { runWithin, TIMED_OUT } from '../../generator/violations/time-limit.ts';
import { atScale, seedOfCases } from '../support/soak.ts';
import { expressionsOf } from './support/expressions.ts';

const atoms = [
  String.raw`a b c . ^ $ [ab] [^a] [a-c0] [^] \w \W \d \s \b \B \1 \2 \k<n>`,
  // Only valid, or read differently, without the flag "u".
  String.raw`{ } ] \c \cA \07 \8 \u{61} \p{L}`,
].flatMap((row) => row.split(' '));

const expression = expressionsOf({
  atoms,
  groups: ['(', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(?<n>'],
  quantifiers: ['', '', '', '*', '+', '?', '{2}', '{1,3}', '{0,}', '{0}', '*?', '+?', '??'],
});

// V8 also begins a match between the halves of a character, unlike ECMAScript: the texts have none.
const text = fc
  .array(fc.constantFrom(...'aaabbc01 _{}]\n\u2028é'), { maxLength: 8 })
  .map((characters) => characters.join(''));

const matches = (source: string, flags: string, value: string): boolean =>
  BacktrackingExpression.compile(source, flags)!.test(value);

describe('an expression that is matched by backtracking', () => {
  it('matches what it matches in V8', () => {
    const property = fc.property(expression, fc.array(text, { minLength: 4 }), (source, texts) => {
      const native = toExpression(source);
      // V8 takes a group within another one of its name, which ECMAScript does not have.
      fc.pre(native !== null && source.length < 80 && source.split('(?<n>').length <= 2);
      const own = BacktrackingExpression.compile(native.source, native.flags)!;
      // Some random expressions take exponential time.
      const found = runWithin(500, () =>
        texts.find((each) => own.test(each) !== native.test(each)),
      );
      fc.pre(found !== TIMED_OUT);
      expect(found, `${native}`).toBeUndefined();
    });
    fc.assert(property, { seed: seedOfCases(), numRuns: atScale(50_000, 1_500) });
  });

  it('reads characters of two UTF-16 units as one with the flag "u", and as two without', () => {
    expect(matches('^.$', 'u', '😀')).toBe(true);
    expect(matches('^.$', '', '😀')).toBe(false);
    expect(matches('^..$', '', '😀')).toBe(true);
    expect(matches('(?<=^[😀])a', 'u', '😀a')).toBe(true);
    expect(matches(String.raw`^\ud83d\ude00+$`, 'u', '😀😀')).toBe(true);
    expect(matches(String.raw`^(.)\1$`, 'u', '😀😁')).toBe(false);
  });

  it('compiles in no time where V8 takes twice as long for each alternative', () => {
    expect(matches(`(?=z)${'(?:|)'.repeat(500)}b`, 'u', 'ab')).toBe(false);
    expect(matches(`(?=z)${'(?:|)'.repeat(500)}z`, 'u', 'az')).toBe(true);
  });

  it('is null if it is not valid, too long, or has modifiers', () => {
    for (const source of ['(', 'a'.repeat(5_001), '(?i:a)']) {
      expect(BacktrackingExpression.compile(source, 'u')).toBe(null);
    }
  });

  it('ends a match that needs too much memory', () => {
    const expression = BacktrackingExpression.compile('^(?:a|b)*c', 'u')!;
    expect(() => expression.test('ab'.repeat(2_000_000))).toThrow(RangeError);
    expect(expression.test('abc')).toBe(true);
  });
});
