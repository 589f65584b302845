import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  exactJson,
  parseByPlace,
  stringifyByMark,
} from '../../../generator/targets/client/runtime/exact-json.ts';

/** JSON values with integers of any size. */
const exactValues = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.constantFrom(
      '18446744073709551615',
      '"9007199254740993"',
      '\\9007199254740993',
      '#12',
      '##',
      '#0#1#',
      '#0#9007199254740993',
    ),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => !Number.isInteger(each)),
    fc.bigInt().filter((each) => each > 2n ** 53n || each < -(2n ** 53n)),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

// A key "__proto__" sets the prototype in what the tests compare, not in JSON.
const plain = (value: unknown): boolean =>
  !JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? 0 : each)).includes(
    '__proto__',
  );

describe.each([
  ['as the runtime reads and writes them', exactJson.parse, exactJson.stringify],
  ['without the source of numbers', parseByPlace, exactJson.stringify],
  ['without raw JSON', exactJson.parse, stringifyByMark],
])('exact integers, %s', (_, parse, stringify) => {
  test('round-trip in any context', () => {
    fc.assert(
      fc.property(exactValues.filter(plain), (value) => {
        expect(parse(stringify(value))).toEqual(value);
      }),
    );
  });
});

test.each([
  ['marks', '#'.repeat(1_000_000)],
  ['numbers of marks', Array.from({ length: 200_000 }, (_, index) => `#${index}`).join('')],
])('a text of many %s is written in linear time', (_, text) => {
  expect(exactJson.parse(stringifyByMark([text, 2n ** 64n]))).toEqual([text, 2n ** 64n]);
});

test('both parsers agree on any JSON', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseByPlace(text)).toEqual(exactJson.parse(text));
    }),
  );
});

test.each([
  ['with the source of numbers', exactJson.parse],
  ['without', parseByPlace],
])('an integer that takes long to read is rejected, %s', (_, parse) => {
  const read = (digits: number) => parse(`{"wei":${'9'.repeat(digits)}}`);
  expect(read(4_300)).toEqual({ wei: 10n ** 4_300n - 1n });
  expect(() => read(4_301)).toThrow(SyntaxError);
});

test.each(['', '{', '[01]', '{"a":12345678901234567890,}', '-', '1.', '[1234567890123456789 2]'])(
  'invalid JSON is rejected: %s',
  (text) => {
    expect(() => exactJson.parse(text)).toThrow(SyntaxError);
  },
);
