import { docstringLines } from '../../../common/escape/python.ts';
import { linesOf } from '../../../common/escape/text.ts';

const WIDTH = 92;

/** Writes an indented docstring with a trailing line break, or "" if all paragraphs are empty. */
export function docstring(paragraphs: readonly string[], indent: string): string {
  const text = paragraphs
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
  const lines = linesOf(text).flatMap(wrapper(WIDTH - indent.length));
  if (lines.length === 1 && lines[0] === '') return '';
  const [first = '', ...rest] = docstringLines(lines);
  const body = rest.map((line) => (line === '' ? '\n' : `\n${indent}${line}`)).join('');
  // A final quote would merge with the closing ones.
  const end = rest.length > 0 ? `\n${indent}` : first.endsWith('"') ? ' ' : '';
  return `${indent}"""${first.startsWith('"') ? ' ' : ''}${first}${body}${end}"""\n`;
}

/** Writes an indented comment with a trailing line break; "" for an empty text. */
export function comment(text: string, indent: string): string {
  return linesOf(text.trim())
    .flatMap(wrapper(WIDTH - indent.length))
    .filter((line) => line !== '')
    .map((line) => `${indent}# ${line}\n`)
    .join('');
}

/** Wraps long lines at spaces, except in code and tables. */
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
