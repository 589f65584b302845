import { describe, expect, it } from 'vitest';
import { makeScalar } from '../../common/make-value/make-scalar.ts';
import { makeText } from '../../common/make-value/make-text.ts';
import { makeValue, seededRandom } from '../../common/make-value/make-value.ts';
import { UnsatisfiableSchemaError } from '../../common/make-value/unsatisfiable.ts';

/** Characters of a set, none beside another. */
const set = Array.from({ length: 1_600 }, (_, index) => String.fromCharCode(0x4000 + 3 * index));

describe('a text made for a pattern', () => {
  it.each([
    '^0x[0-9a-f]{64}$',
    '^(?:ab){2,5}c?$',
    '^a+b{3,}$',
    String.raw`^\d{4}-(?<month>\d\d)$`,
    '^(?:(?:0|[1-9]\\d*)\\.){2}(?:0|[1-9]\\d*)$',
    String.raw`^[\u4e00-\u4e10]+\u{1F600}$`,
    String.raw`^[^\x00-\x7f]\s\S\W$`,
    String.raw`^\p{Lu}\p{Ll}+ [А-я]$`,
    'b|^$',
    '',
  ])('matches %s', (source) => {
    const expression = new RegExp(source, 'u');
    for (let seed = 0; seed < 50; seed += 1) {
      const random = seededRandom(String(seed));
      expect(makeText(source, { random, maxCharacters: 1_000 })).toMatch(expression);
    }
  });

  it('differs', () => {
    const random = seededRandom('seed');
    const texts = Array.from({ length: 50 }, () =>
      makeText('^(?:a|b|c)[0-9]{1,3}$', { random, maxCharacters: 10 }),
    );
    expect(new Set(texts).size).toBeGreaterThan(25);
  });

  it('is bounded: larger texts are not generated', () => {
    const make = (pattern: string): unknown =>
      makeText(pattern, { random: () => 0.9, maxCharacters: 100_000 });
    expect(make('^[ab]{64}$')).toHaveLength(64);
    expect(make('^(?:){99}x()$')).toBe('x');
    for (const pattern of [
      '^((a{1000}){1000}){1000}$',
      '^(((((((a+)+)+)+)+)+)+)+$',
      '^(?:(?:){99999}){99999}$',
      `(?:){${'9'.repeat(15)}}`,
      `a{${'9'.repeat(400)}}`,
      `a{${'9'.repeat(400)},}`,
      String.raw`\c[{999999999999999}]`,
      '('.repeat(60) + ')'.repeat(60),
    ]) {
      expect(() => make(pattern), pattern).toThrow(UnsatisfiableSchemaError);
    }
    expect(make(String.raw`[A-\]{999999999999999}]`)).toHaveLength(1);
    // An escape is not a digit of a repetition.
    expect(make(String.raw`(?:){9\x39}`)).toBe('{99}');
  });

  it('takes a bounded number of steps, however large its sets are', () => {
    const make = (pattern: string, minItems: number): unknown => {
      const many = { type: 'array', minItems, items: { type: 'string', pattern } };
      return makeValue(many, { validate: () => [] }, ['seed']);
    };
    const problem = 'it takes too many steps';
    for (const pattern of [`[${set.join('')}]`, '|'.repeat(4_990), `(?:${'a'.repeat(4_980)}){0}`]) {
      expect(make(pattern, 1), pattern.slice(0, 20)).toHaveProperty('value');
      expect(make(pattern, 900), pattern.slice(0, 20)).toEqual({ problem });
    }
  });
});

it('reports an unexpected error of the generator without a stack trace', () => {
  const random = (): number => {
    throw new TypeError('out of numbers');
  };
  const make = () => makeScalar({ type: 'number' }, { random, maxCharacters: 10 });
  expect(make).toThrow(new UnsatisfiableSchemaError('out of numbers'));
});
