import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  asNumbers,
  JsonSyntaxError,
  parseJson,
  printNode,
  valueOf,
} from '../../../docs-site/browser/try-it/json.ts';
import { fragmentOf, readFragment } from '../../../docs-site/browser/try-it/share.ts';
import { jsonText } from '../../../common/samples/json-text.ts';
import type { Json } from '../../../common/samples/sample.ts';

describe('parseJson', () => {
  test('accepts what JSON.parse accepts, and prints equal JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        const node = parseJson(text);
        expect(asNumbers(valueOf(node))).toEqual(value);
        expect(JSON.parse(printNode(node))).toEqual(value);
      }),
    );
  });

  test('rejects what JSON.parse rejects', () => {
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
          else expect(() => parseJson(damaged)).toThrow(JsonSyntaxError);
        },
      ),
    );
  });

  test('keeps every digit of an integer', () => {
    const text = '[18446744073709551615,-9007199254740993,1,2.50]';
    const value = valueOf(parseJson(text));
    expect(value).toEqual([18446744073709551615n, -9007199254740993n, 1, 2.5]);
    expect(jsonText(value)).toBe('[18446744073709551615,-9007199254740993,1,2.5]');
    expect(printNode(parseJson(text))).toContain('2.50');
  });

  test.each([
    ['', 'line 1, column 1: expected a value, got the end'],
    ['[1,\n 2', 'line 2, column 3: expected "," or "]", got the end'],
    ['{"a":1,}', 'line 1, column 8: expected a name in double quotes, got "}"'],
    ["['a']", 'line 1, column 2: expected a value, got "\'"'],
    ['[] []', 'line 1, column 4: expected the end, got "["'],
    ['["a\n"]', 'line 1, column 2: expected a closing double quote on the same line, got "\\""'],
  ])('reports the place of the error in %j', (text, message) => {
    expect(() => parseJson(text)).toThrow(message);
  });

  test('rejects deep nesting', () => {
    expect(() => parseJson('['.repeat(100_000))).toThrow('at most 400 levels');
  });

  test('reads an integer of very many digits as the nearest number', () => {
    expect(valueOf(parseJson('9'.repeat(4_300)))).toBe(BigInt('9'.repeat(4_300)));
    expect(valueOf(parseJson(`-${'9'.repeat(4_301)}`))).toBe(-Infinity);
  });

  test('reads "__proto__" as a plain name', () => {
    const value = valueOf(parseJson('{"__proto__":{"a":1}}')) as Record<string, Json>;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(jsonText(value)).toBe('{"__proto__":{"a":1}}');
  });
});

describe('a link to a call', () => {
  test('restores the call', () => {
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
  ])('is ignored when the fragment is %j', (hash) => {
    expect(readFragment(hash)).toBe(null);
  });
});
