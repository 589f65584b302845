import { LineCounter } from 'yaml';
import { describe, expect, test } from 'vitest';
import { DocumentError } from '../../../common/diagnostic.ts';
import type { Json, JsonObject } from '../../../common/json/value.ts';
import { draftOf } from '../../../generator/bundle/bundle.ts';
import { diagnosticAt } from '../../../generator/bundle/places.ts';
import { Omitter } from '../../../generator/reading/omit.ts';
import { parseSource } from '../../../generator/source/parse.ts';
import { parseTree } from '../../../generator/source/yaml-tree.ts';

const COUNT = 3000;

const repeat = (text: string, count = COUNT) => text.repeat(count);

const withErrors: Readonly<Record<string, string>> = {
  'unexpected ends': `a: 1\n${repeat(']\n')}`,
  'unexpected commas': `a: [${repeat(',\n ')}]`,
  'missing commas': `a: [${repeat('"b"\n ')}]`,
  'sequences in a map': `a: 1\n${repeat('- b\n')}`,
  'escape sequences': `a: "${repeat('\\q')}"`,
  tags: `a: [${repeat('!b 1,\n ')}]`,
  'tabs as indentation': `a:\n${repeat('\t- b\n')}`,
};

describe('of very many errors, the first 1,000 are listed', () => {
  test.each(Object.entries(withErrors))('YAML: %s', (_, text) => {
    expect(parseTree(text, new LineCounter()).errors).toHaveLength(1001);
    expectShort(() => parse('x.yaml', text));
  });

  test.each([
    ['x.json', `{${repeat('"b":1,')}"b":1}`],
    ['x.yaml', repeat('b: 1\n')],
    ['x.yaml', `a: [${repeat('1e999,\n ')}]`],
  ])('%s: %j', (name, text) => {
    expectShort(() => parse(name, text));
    // Repeated names make a document unusable only if there are too many to list.
    expectShort(() => parse(name, text, () => {}));
  });

  test('a number out of range beside very many names is found in linear time', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `"n${index}":1`);
    expectShort(() => parse('x.json', `{${repeat('"b":1e999,')}${names.join()}}`));
  });

  test('YAML is not read beyond them', () => {
    const lines = new LineCounter();
    parseTree(withErrors['unexpected ends']!, lines);
    expect(lines.lineStarts.length).toBeLessThan(1100);
  });

  test('1,000 repeated names do not make a document unusable', () => {
    let found = 0;
    parse('x.json', `{${repeat('"b":1,', 1000)}"b":1}`, (repeated) => {
      found = repeated.length;
    });
    expect(found).toBe(1000);
  });
});

test('a part of a very long list is left out', () => {
  const list = Array.from({ length: 200_000 }, (_, index) => index);
  const source = sourceOf({ openrpc: '1.3.2', servers: list });
  const draft = draftOf(source);
  const pointer = '/servers/1';
  new Omitter(draft).omit([{ ...diagnosticAt({ source, pointer }, { message: 'm' }), pointer }]);
  const { servers } = draft.document as { servers: Json[] };
  expect(servers.slice(0, 2)).toEqual([0, 2]);
  expect(servers).toHaveLength(199_999);
});

test('of very many parts that would be left out, the first 1,000 are listed', () => {
  const source = sourceOf(
    Object.fromEntries(Array.from({ length: COUNT }, (_, index) => [`b${index}`, 1])),
  );
  const found = Object.keys(source.value as object).map((name) => ({ pointer: `/${name}` }));
  const located = found.map((each) => ({
    ...diagnosticAt({ source, ...each }, { message: 'm' }),
    ...each,
  }));
  expectShort(() => new Omitter(draftOf(source)).omit(located));
  expect(() => new Omitter(draftOf(source)).omit(located.slice(0, 1000))).not.toThrow();
});

function sourceOf(value: JsonObject) {
  return parse('x.json', JSON.stringify(value));
}

function parse(name: string, text: string, onRepeated?: Parameters<typeof parseSource>[1]) {
  return parseSource({ name, url: `file:///${name}`, text }, onRepeated);
}

function expectShort(run: () => unknown): void {
  const lines = errorOf(run).message.split('\n');
  expect(lines).toHaveLength(1001);
  expect(lines.at(-1)).toContain('more than 1000 errors; the others are not shown');
}

function errorOf(run: () => unknown): DocumentError {
  try {
    run();
  } catch (error) {
    if (error instanceof DocumentError) return error;
    throw error;
  }
  throw new Error('the text was accepted');
}
