import { docstringText } from '../../../common/escape/python.ts';
import { linesOf } from '../../../common/escape/text.ts';

const WIDTH = 92;

/**
 * A docstring of `paragraphs` (empty ones left out), indented, with a line break behind it; "" when
 * there is nothing to say.
 */
export function docstring(paragraphs: readonly string[], indent: string): string {
  const text = paragraphs
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
  const lines = linesOf(text).flatMap(wrapper(WIDTH - indent.length));
  if (lines.length === 1 && lines[0] === '') return '';
  const [first = '', ...rest] = lines.map(docstringText);
  const body = rest.map((line) => (line === '' ? '\n' : `\n${indent}${line}`)).join('');
  // A quote at the end would join those that close.
  const end = rest.length > 0 ? `\n${indent}` : first.endsWith('"') ? ' ' : '';
  return `${indent}"""${first.startsWith('"') ? ' ' : ''}${first}${body}${end}"""\n`;
}

/** A comment of `text`, indented, with a line break behind it; "" when there is nothing to say. */
export function comment(text: string, indent: string): string {
  return linesOf(text.trim())
    .flatMap(wrapper(WIDTH - indent.length))
    .filter((line) => line !== '')
    .map((line) => `${indent}# ${line}\n`)
    .join('');
}

/** Breaks lines that are too long at spaces, but for code and tables, whose layout says something. */
function wrapper(width: number): (line: string) => readonly string[] {
  let isCode = false;
  return (line) => {
    const text = line.trimEnd();
    if (/^\s*(?:```|~~~)/.test(text)) isCode = !isCode;
    if (isCode || text.length <= width || text.trimStart().startsWith('|')) return [text];
    const [, lead = '', mark = ''] = /^(\s*)((?:[-*]|\d+\.) )?/.exec(text) ?? [];
    const hanging = lead + (mark === '' ? '' : ' '.repeat(mark.length));
    const wrapped: string[] = [];
    let current = '';
    for (const word of text.trimStart().split(/ +/)) {
      const start = wrapped.length === 0 ? lead : hanging;
      if (current === '') current = start + word;
      else if (current.length + 1 + word.length <= width) current += ` ${word}`;
      else {
        wrapped.push(current);
        current = hanging + word;
      }
    }
    return [...wrapped, current];
  };
}
