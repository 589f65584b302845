import { DocumentError } from '../../../common/diagnostic.ts';
import { describe, expect, test } from 'vitest';
import { parseSource } from '../../../generator/source/parse.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

function messageOf(name: string, text: string): string {
  try {
    parseSource({ name, url: `file:///${name}`, text });
    return '';
  } catch (error) {
    if (error instanceof DocumentError) return error.message;
    throw error;
  }
}

describe.each(['x.json', 'x.yaml'])('%s', (name) => {
  test('128 levels are read', () => {
    expect(messageOf(name, nested(128))).toBe('');
  });

  test.each([129, 3000, 100_000])('%d levels are refused with the limit', (depth) => {
    expect(messageOf(name, nested(depth))).toMatch(
      /^x\.\w+:1:\d+: nested deeper than 128 objects and arrays; move inner /,
    );
  });
});

test('brackets in strings do not count as levels', () => {
  expect(messageOf('x.json', JSON.stringify([nested(3000), `\\"${nested(200)}`]))).toBe('');
});
