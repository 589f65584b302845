import { describe, expect, test } from 'vitest';
import { toJsonLine } from '../../../bin/commands/verb.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runSpecgate } from './in-process.ts';

/**
 * An escape sequence in 7 and in 8 bits, a carriage return, a right-to-left mark, and commands of CI
 * runners, of which some are found anywhere in a line.
 */
const HOSTILE =
  '\u001b]0;x\u0007\u009b31m\r\u202e\n::error::x##[set-output name=a]b##vso[task.setvariable variable=a]b[[ATTACHMENT|/etc/a]]';

/** Commands at the start of a line, where a format writes a text on several lines. */
const LINES = [
  'a\n::error::b',
  'a\n\u3000::error::b',
  '::error::a',
  `${'word '.repeat(19)}::error::a ${'word '.repeat(19)}`,
  ...Array.from({ length: 12 }, (_, index) => `${'a'.repeat(85 + index)}::error::\u202e`),
  { '::error::a': 1 },
];

const name = `m${HOSTILE}`;
const broken = { ...methodOf(name, {}), [`bad${HOSTILE}`]: HOSTILE, examples: HOSTILE };

/** A document with a broken method of the name, or with that method intact. */
function hostile(version: string, methods: readonly Record<string, unknown>[]): string {
  const document = documentOf([methodOf(`a${HOSTILE}`, { enum: [HOSTILE] }), ...methods]);
  const info = { title: `T${HOSTILE}`, version: `${version}${HOSTILE}` };
  return JSON.stringify({ ...document, info, [`bad${HOSTILE}`]: 1, 'x-lines': LINES });
}

const cwd = temporaryFolder([
  ['a.json', hostile('1.0.0', [{ name, params: 1 }])],
  ['b.json', hostile('2.0.0', [broken])],
  ['::error::c.json', hostile('1.0.0', [{ name, params: 1 }])],
  [`guides/${HOSTILE}.md`, '# Guide'],
  [`generated/${HOSTILE.replace('/', '')}.txt`, 'x'],
]);

const FORMATS = ['text', 'json', 'github', 'sarif', 'junit'];

const COMMANDS = [
  ...FORMATS.map((format) => ['lint', 'a.json', 'b.json', '--all', '--format', format]),
  ...FORMATS.map((format) => ['diff', 'a.json', 'b.json', '--all', '--format', format]),
  ...FORMATS.map((format) => ['check', 'b.json', '--lenient', '--format', format]),
  ...['json', 'yaml'].map((format) => ['bundle', 'a.json', '--format', format]),
  ...['json', 'yaml'].map((format) => ['convert', 'openapi', 'b.json', '--lenient', '-f', format]),
  ['diff', 'a.json', 'b.json', '--format', 'markdown'],
  ['changelog', 'a.json', 'b.json'],
  ['lint', '::error::c.json', '--all'],
  ['generate', 'a.json'],
  ['generate', '::error::c.json'],
  ['generate', 'b.json', '--lenient'],
  ['generate', 'b.json', '--lenient', '--format', 'json'],
  ['generate', 'b.json', '--target', 'docs', '--out', 'site', '--guides', 'guides'],
  [HOSTILE],
  ['lint', '--format', HOSTILE],
  ['lint', `--${HOSTILE}`],
  ['mock', '--port', HOSTILE],
  ['convert', `x\n(Did you mean ${HOSTILE}?)`],
];

describe('nothing in a document or a folder controls the terminal or a CI runner', () => {
  test.each(COMMANDS.map((command) => [command]))('%j', async (command) => {
    const { stdout, stderr } = await runSpecgate(command, { cwd });
    for (const text of [stdout, stderr]) {
      expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
      expect(text).not.toMatch(/^\s*::error::|##[a-z]*\[/im);
    }
  });

  test('JSON on one line', () => {
    expect(toJsonLine({ name: '\u009b\u202e' })).toBe(String.raw`{"name":"\u009b\u202e"}`);
  });
});
