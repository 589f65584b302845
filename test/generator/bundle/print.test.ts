import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse, Parser } from 'yaml';
import type { JsonObject } from '../../../common/json/value.ts';
import { printDocument } from '../../../generator/bundle/print.ts';
import { parseSource } from '../../../generator/source/parse.ts';
import { atScale, seedOfCases } from '../../support/soak.ts';

const TEXTS = [
  ...'<<|=|y|no|On|~||null|true|0x1f|017|1_000|1:20|12:30:45|2001-01-01|.inf|?|:|a: b|a #b|#a|&a'.split(
    '|',
  ),
  ...'*a|!t|!!js/function x|>|@a|`a|%YAML 1.1|---|...|- a|[a|{a|"|\'|\\|\t| a|a |a\n---\nb: c'.split(
    '|',
  ),
  '|',
  '\n',
  '\r',
  '\n \n',
  ' \n\n',
  '\n\n a\n',
  '...\na',
  '\u0085\u2028\u202e',
  `${'a'.repeat(120)} b\n  c`,
];

test('YAML gives names and texts back as they are, in YAML 1.1 and with merge keys too', () => {
  const document = Object.fromEntries(
    TEXTS.map((text) => [
      text,
      { [`${text} `]: [text, `${text} ${text}`], '<<': { [text]: text } },
    ]),
  );
  const text = printDocument(document, 'yaml');
  expect(parseSource({ name: 'a.yaml', url: 'file:///a.yaml', text }).value).toEqual(document);
  expect(parse(text, { version: '1.1' })).toEqual(document);
  expect(parse(text, { merge: true })).toEqual(document);
});

test('YAML is written without reading its text, and keeps all digits', () => {
  const text = '{"a":12345678901234567890,"b":[-98765432109876543210,1e21,-0.5,7]}';
  const { value } = parseSource({ name: 'a.json', url: 'file:///a.json', text });
  const parsing = vi.spyOn(Parser.prototype, 'parse');
  onTestFinished(() => void parsing.mockRestore());
  expect(printDocument(value as JsonObject, 'yaml')).toBe(
    'a: 12345678901234567890\nb:\n  - -98765432109876543210\n  - 1e+21\n  - -0.5\n  - 7\n',
  );
  expect(parsing).not.toHaveBeenCalled();
});

test('YAML gives any mixture of texts back', () => {
  const parts = ['\n', ' ', '\t', '::', '\u202e', '\ud800', '#', ' word'.repeat(20), ...TEXTS];
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((each) => each.join(''));
  fc.assert(
    fc.property(text, (each) => {
      const document = { [each]: [each] };
      expect(parse(printDocument(document, 'yaml'))).toEqual(document);
    }),
    { seed: seedOfCases(), numRuns: atScale(20_000, 1_000) },
  );
});
