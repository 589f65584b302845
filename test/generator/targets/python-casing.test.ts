import { describe, expect, test } from 'vitest';
import { classCase, isIdentifier, snakeCase } from '../../../generator/targets/python/names.ts';
import { findPythons, runPython } from '../../python/support/python.ts';

/** Letters of Unicode 15 to 17, and one that got a capital in Unicode 16. */
const RECENT_LETTERS = ['\u1c89', '\ua7cb', '\ua7da', '\u{31350}', '\u{10d50}'];

test.each(RECENT_LETTERS)('a letter newer than Python 3.11 is left out of names: %j', (letter) => {
  expect(snakeCase(`get${letter}all`)).toBe('get_all');
  expect(classCase(`get${letter}all`)).toBe('GetAll');
  expect(isIdentifier(letter)).toBe(false);
});

test('a letter whose capital is newer than Python 3.11 keeps its case', () => {
  expect(classCase('\u019ba')).toBe('\u019ba');
  expect(classCase('\u00e9a')).toBe('\u00c9a');
});

describe.skipIf(findPythons().size === 0)('the Pythons of this machine', () => {
  test.each([...findPythons()])('%s reads every identifier', async (_, command) => {
    const program = `print(*[c for c in range(0x110000) if ('a' + chr(c)).isidentifier()])`;
    const { stdout } = await runPython(['-c', program], { command });
    const readable = new Set(stdout.trim().split(' ').map(Number));
    expect(readable.size).toBeGreaterThan(100_000);
    const refused: string[] = [];
    for (let point = 0; point < 0x110000; point += 1) {
      const character = String.fromCodePoint(point);
      // Others only separate words.
      if (!/\p{XID_Continue}/u.test(character.normalize('NFKC'))) continue;
      const names = [snakeCase(`a${character}`), classCase(character)];
      if (isIdentifier(`a${character}`)) names.push(character);
      const points = names.flatMap((name) => [...name].map((each) => each.codePointAt(0)!));
      if (points.some((each) => !readable.has(each))) refused.push(point.toString(16));
    }
    expect(refused).toEqual([]);
  });
});

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
