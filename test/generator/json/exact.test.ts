import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { cloneExact, parseExact, printExact } from '../../../common/json/exact.ts';
import { parseSource } from '../../../generator/source/parse.ts';
import { atScale, seedOfCases } from '../../support/soak.ts';

const text = '{"a":[18446744073709551615,-9007199254740993,9007199254740991],"b":1e30,"c":0.1}';

test('integers beyond 2^53 keep their digits, also in copies', () => {
  const value = parseExact(text);
  expect(printExact(value)).toBe(text.replace('1e30', '1e+30'));
  expect(printExact(cloneExact(value))).toBe(printExact(value));
  expect(value).toEqual(JSON.parse(text));
});

test('YAML keeps the digits of integers', () => {
  const read = (name: string, source: string) =>
    printExact(parseSource({ name, url: `file:///${name}`, text: source }).value);
  expect(read('x.yaml', 'a: 18446744073709551615\nb: [1, -2, 0x10, 1.5, "7"]\n3: x')).toBe(
    '{"3":"x","a":18446744073709551615,"b":[1,-2,16,1.5,"7"]}',
  );
});

test('wide integers keep their digits at any place, and texts like them stay texts', () => {
  const name = fc.constantFrom('a', '', '__proto__', 'constructor', '1', '"', '\\\\"', '[{,:', 'é');
  const leaf = fc.oneof(
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
    fc.constantFrom(
      '9007199254740993',
      '-0',
      '1234567890123456e2',
      '0.12345678901234567890',
      '1E+20',
    ),
    fc.constantFrom(
      'true',
      'null',
      '[]',
      '{}',
      '"12345678901234567890"',
      '"\\\\\\",[1"',
      `${'9'.repeat(400)}`,
    ),
  );
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie('tree')).map((each) => ` [ ${each.join(' ,')}\n]`),
      fc
        .uniqueArray(fc.tuple(name, tie('tree')), { selector: ([key]) => key })
        .map(
          (each) => `{${each.map(([key, value]) => `${JSON.stringify(key)} : ${value}`).join()} }`,
        ),
    ),
  }));
  fc.assert(
    fc.property(tree, (json) => {
      const list = `[${json},12345678901234567890]`;
      expect(printExact(parseExact(list))).toBe(printWithReviver(list));
    }),
    { seed: seedOfCases(), numRuns: atScale(20_000, 1_000) },
  );
});

test('wide integers are found without a reviver, which keeps the source of every value', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const value = parseExact('[12345678901234567890,{"a":-98765432109876543210}]');
  const revivers = parse.mock.calls.filter(([, reviver]) => reviver !== undefined);
  parse.mockRestore();
  expect(revivers).toEqual([]);
  expect(printExact(value)).toBe('[12345678901234567890,{"a":-98765432109876543210}]');
});

test('of members with the same name, the last one counts', () => {
  const print = (json: string) => printExact(parseExact(json));
  expect(print('{"a":12345678901234567890,"a":"b"}')).toBe('{"a":"b"}');
  expect(print('{"a":[12345678901234567890],"a":{}}')).toBe('{"a":{}}');
  expect(print('{"a":12345678901234567890,"a":12345678901234567891}')).toBe(
    '{"a":12345678901234567891}',
  );
  expect(print('{"__proto__":{"a":12345678901234567890},"__proto__":1}')).toBe('{"__proto__":1}');
});

/** Prints a JSON text like `printExact`, by the sources that a reviver gets. */
function printWithReviver(json: string): string {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
  const revive = (_: string, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d{16,}$/.test(source)
      ? rawJSON(source)
      : value;
  return JSON.stringify(JSON.parse(json, revive));
}
