import { expect, test } from 'vitest';
import { docstringText } from '../../../common/escape/python.ts';
import { docComment } from '../../../common/escape/script.ts';

const lineOf = (text: string) => docComment([text]).slice(4, -4);

test.each([
  ['code stays: `Promise<T>` and `a[0](b)`', 'code stays: `Promise<T>` and `a[0](b)`'],
  ['``a <b>``', '``a &lt;b>``'],
  ['1 < 2', '1 < 2'],
  ['a <b> \\<c <\\/d>', 'a &lt;b> \\&lt;c &lt;\\/d>'],
  [
    '[a](../b) ![a](b) [a](https://b.example) [a](#b)',
    '[a]\\(../b) ![a]\\(b) [a](https://b.example) [a](#b)',
  ],
  ['[a]: ../b', '[a]\\: ../b'],
  ['@a `b` @c d@e', '\\@a `b` \\@c d@e'],
  ['- @a', '- \\@a'],
  ['`{@include a}`', '`{\\@include a}`'],
  // Not sure to be code.
  ['` `<b>`', '` `&lt;b>`'],
  ['\\`<b>`', '\\`&lt;b>`'],
  ['http://a/`b <c>`', 'http://a/`b &lt;c>`'],
  ['[a](`b) <c>`', '[a]\\(`b) &lt;c>`'],
  ['`a | <b> | c`', '`a | &lt;b> | c`'],
])('the comment of %j has no active markup', (text, expected) => {
  expect(lineOf(text)).toBe(expected);
});

test('a backtick in one text of a comment makes code of another uncertain', () => {
  const tags = [
    { name: '@param a -', text: 'a `' },
    { name: '@throws', text: '`b <c>`' },
  ];
  const escaped = ['@param a - a `', '@throws `b &lt;c>`'];
  for (const line of escaped) expect(docComment([], tags)).toContain(` * ${line}\n`);
  expect(docComment(['`b <c>`'], tags.slice(1), ['`b <c>`'])).not.toContain('&lt;');
});

test('docstrings have no HTML and no links to files', () => {
  expect(docstringText('`Promise<T>`')).toBe('`Promise<T>`');
  expect(docstringText('<script> [a](../b)')).toBe('&lt;script> [a]\\\\(../b)');
});
