import { expect, test } from 'vitest';
import { cloneExact, parseExact, printExact } from '../../../common/json/exact.ts';
import { parseSource } from '../../../generator/source/parse.ts';

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
