import { describe, expect, it } from 'vitest';
import { makeValue } from '../../common/make-value/make-value.ts';
import {
  makeScalar,
  UnsatisfiableSchemaError,
  sizeOfPattern,
} from '../../common/make-value/make-scalar.ts';

/** Characters of a set, none beside another. */
const set = Array.from({ length: 1_600 }, (_, index) => String.fromCharCode(0x4000 + 3 * index));

describe('the size of a text made for a pattern', () => {
  it.each([
    ['^0x[0-9a-f]{64}$', 68],
    ['^(?:ab){2,5}c?$', 13],
    ['^a+b{3,}$', 21],
    [String.raw`\d{4}-(?<month>\d\d)`, 7],
    ['^((a{1000}){1000}){1000}$', 1e9 + 2],
    ['^((((a+)+)+)+)+$', 8 ** 5 + 2],
    ['^(?:(?:){40000}){30000}x$', 1.2e9 + 3],
  ])('%s: %i', (source, size) => {
    expect(sizeOfPattern(source)).toBe(size);
  });

  it('is bounded: larger texts are not generated', () => {
    const make = (pattern: string): unknown =>
      makeScalar({ type: 'string', pattern }, { random: () => 0.9, maxCharacters: 100_000 });
    expect(make('^[ab]{64}$')).toHaveLength(64);
    expect(() => make('^((a{1000}){1000}){1000}$')).toThrow(UnsatisfiableSchemaError);
    expect(() => make('^(((((((a+)+)+)+)+)+)+)+$')).toThrow(UnsatisfiableSchemaError);
    expect(() => make('^(?:(?:){99999}){99999}$')).toThrow(UnsatisfiableSchemaError);
    expect(make('^(?:){99}x()$')).toBe('x');
  });

  it('takes a bounded number of steps, however large its sets are', () => {
    const make = (pattern: string): unknown =>
      makeValue({ type: 'string', pattern }, { validate: () => [] }, ['seed']);
    const problem = 'it takes too many steps';
    expect(make(`^[${set.join('')}]{90000}$`)).toEqual({ problem });
    expect(make(`^(?:[^${set.join('')}]){9000}$`)).toEqual({ problem });
    expect(make('^[0-9a-f]{5000}$')).toHaveProperty('value');
    expect(make(`^[${set.slice(0, 300).join('')}]{64}$`)).toHaveProperty('value');
  });

  it.each(['|'.repeat(9_990), `(?:${'a'.repeat(9_980)}){0}`, String.raw`\S{9990}`])(
    'takes a bounded number of steps for many texts, of parts that add nothing to them too',
    (pattern) => {
      const many = { type: 'array', minItems: 200, items: { type: 'string', pattern } };
      const made = makeValue(many, { validate: () => [] }, ['seed']);
      expect(made).toEqual({ problem: 'it takes too many steps' });
    },
  );
});

it('reports an unexpected error of the generator without a stack trace', () => {
  const random = (): number => {
    throw new TypeError('out of numbers');
  };
  const make = () => makeScalar({ type: 'number' }, { random, maxCharacters: 10 });
  expect(make).toThrow(new UnsatisfiableSchemaError('out of numbers'));
});
