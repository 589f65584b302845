import { onOneLine } from './text.ts';

/** An escaped character, a code span (CommonMark 0.31, section 6.1), or the start of an HTML tag. */
const PART = /\\.|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|</g;

/** Puts a text on one line; code spans stay, HTML is shown as text. */
export function inlineMarkdown(text: string): string {
  return onOneLine(text).replaceAll(PART, (part) => (part === '<' ? '&lt;' : part));
}

/** Like `inlineMarkdown`, for a table cell. */
export function markdownCell(text: string): string {
  return escapePipes(inlineMarkdown(text));
}

/** Writes a name or value as inline code. */
export function codeSpan(text: string): string {
  const line = onOneLine(text);
  const runs = new Set((line.match(/`+/g) ?? []).map(({ length }) => length));
  let fence = '`';
  while (runs.has(fence.length)) fence += '`';
  const gap = line === '' || line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${line}${gap}${fence}`;
}

/** Like `codeSpan`, for a table cell. */
export function codeCell(text: string): string {
  return escapePipes(codeSpan(text));
}

/** Writes the text of a link. */
export function linkText(text: string): string {
  return inlineMarkdown(text).replaceAll(/[[\]\\]/g, String.raw`\$&`);
}

// An escaped backslash does not escape the pipe.
function escapePipes(text: string): string {
  return text.replaceAll(/(\\*)\|/g, (whole, before: string) =>
    before.length % 2 === 0 ? `${before}\\|` : whole,
  );
}
