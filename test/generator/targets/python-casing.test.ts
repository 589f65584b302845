import { expect, test } from 'vitest';
import { classCase, isIdentifier, snakeCase } from '../../../generator/targets/python/names.ts';

// Identifiers of JavaScript may hold them; no identifier of Python before 3.13 does.
test.each(['\u200c', '\u200d', '\u30fb', '\uff65'])(
  'a character that Python refuses separates words: %j',
  (character) => {
    const name = `first${character}second`;
    expect(snakeCase(name)).toBe('first_second');
    expect(classCase(name)).toBe('FirstSecond');
    expect(isIdentifier(name)).toBe(false);
  },
);
