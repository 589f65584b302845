import { onOneLine } from './text.ts';

/** Texts of a document within a line of Markdown (CommonMark, and GitHub's tables). */

/** An escaped character, a code span (CommonMark 0.31, 6.1), or what begins an element of HTML. */
const PART = /\\.|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|</g;

/** A text on one line whose code spans stay; other HTML is shown as it is. */
export function inlineMarkdown(text: string): string {
  return onOneLine(text).replaceAll(PART, (part) => (part === '<' ? '&lt;' : part));
}

/** The same as a cell of a table. */
export function markdownCell(text: string): string {
  return escapePipes(inlineMarkdown(text));
}

/** A name or a value as code. */
export function codeSpan(text: string): string {
  const line = onOneLine(text);
  const runs = new Set((line.match(/`+/g) ?? []).map(({ length }) => length));
  let fence = '`';
  while (runs.has(fence.length)) fence += '`';
  const gap = line === '' || line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${line}${gap}${fence}`;
}

/** The same as a cell of a table. */
export function codeCell(text: string): string {
  return escapePipes(codeSpan(text));
}

/** The text of a link. */
export function linkText(text: string): string {
  return inlineMarkdown(text).replaceAll(/[[\]\\]/g, String.raw`\$&`);
}

// A backslash behind a backslash escapes nothing.
function escapePipes(text: string): string {
  return text.replaceAll(/(\\*)\|/g, (whole, before: string) =>
    before.length % 2 === 0 ? `${before}\\|` : whole,
  );
}
