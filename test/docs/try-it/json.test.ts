import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  asNumbers,
  JsonFault,
  parseJson,
  valueOf,
} from '../../../docs-site/browser/try-it/json/parse.ts';
import { printNode } from '../../../docs-site/browser/try-it/json/print-node.ts';
import { fragmentOf, readFragment } from '../../../docs-site/browser/try-it/share.ts';
import { jsonText } from '../../../docs-site/samples/json-text.ts';
import type { Json } from '../../../docs-site/samples/sample.ts';

describe('JSON as it is shown and edited', () => {
  test('reads what JSON.parse reads, and prints what reads the same', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        const node = parseJson(text);
        expect(asNumbers(valueOf(node))).toEqual(value);
        expect(JSON.parse(printNode(node))).toEqual(value);
      }),
    );
  });

  test('refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '}', '"', '\\', '0', '\n', 'e'),
        (text, at, put) => {
          const place = at % (text.length + 1);
          const damaged = text.slice(0, place) + put + text.slice(place + 1);
          let isJson = true;
          try {
            JSON.parse(damaged);
          } catch {
            isJson = false;
          }
          if (isJson) parseJson(damaged);
          else expect(() => parseJson(damaged)).toThrow(JsonFault);
        },
      ),
    );
  });

  test('keeps every digit of an integer, from the text to the text', () => {
    const text = '[18446744073709551615,-9007199254740993,1,2.50]';
    const value = valueOf(parseJson(text));
    expect(value).toEqual([18446744073709551615n, -9007199254740993n, 1, 2.5]);
    expect(jsonText(value)).toBe('[18446744073709551615,-9007199254740993,1,2.5]');
    expect(printNode(parseJson(text))).toContain('2.50');
  });

  test.each([
    ['', 'line 1, column 1: expected a value, found the end'],
    ['[1,\n 2', 'line 2, column 3: expected "," or "]", found the end'],
    ['{"a":1,}', 'line 1, column 8: expected a name in double quotes, found "}"'],
    ["['a']", 'line 1, column 2: expected a value, found "\'"'],
    ['[] []', 'line 1, column 4: expected the end, found "["'],
    [
      '["a\n"]',
      'line 1, column 2: expected a string that ends in double quotes on its line, found "\\""',
    ],
  ])('says where %j stops being JSON', (text, message) => {
    expect(() => parseJson(text)).toThrow(message);
  });

  test('refuses what is nested deeper than a stack is sure to be', () => {
    expect(() => parseJson('['.repeat(100_000))).toThrow('at most 400 levels');
  });

  test('takes "__proto__" for a name like any other', () => {
    const value = valueOf(parseJson('{"__proto__":{"a":1}}')) as Record<string, Json>;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(jsonText(value)).toBe('{"__proto__":{"a":1}}');
  });
});

describe('a link to a call', () => {
  test('gives back the call it was made of', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.string(),
        fc.constantFrom('http' as const, 'websocket' as const),
        (params, network, transport) => {
          const call = { params: JSON.parse(JSON.stringify(params)) as Json[], network, transport };
          const read = readFragment(fragmentOf(call))!;
          expect({ ...read, params: asNumbers(read.params) }).toEqual(call);
        },
      ),
    );
  });

  test.each([
    '',
    '#params',
    '#try-it',
    '#try-it=&params=%7B',
    '#try-it=&params=1',
    '#try-it=&params=[1',
  ])('is none when the fragment is %j', (hash) => {
    expect(readFragment(hash)).toBe(null);
  });
});
