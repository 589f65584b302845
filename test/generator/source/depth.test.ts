import { DocumentError } from '../../../common/diagnostic.ts';
import { describe, expect, test } from 'vitest';
import { parseSource } from '../../../generator/source/parse.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

function complaintOf(name: string, text: string): string {
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
    expect(complaintOf(name, nested(128))).toBe('');
  });

  test.each([129, 3000, 100_000])('%d levels are a problem told plainly', (depth) => {
    expect(complaintOf(name, nested(depth))).toMatch(
      /^x\.\w+:1:\d+: nested deeper than 128 objects and arrays; move inner /,
    );
  });
});

test('brackets in strings are no levels', () => {
  expect(complaintOf('x.json', JSON.stringify([nested(3000), `\\"${nested(200)}`]))).toBe('');
});
