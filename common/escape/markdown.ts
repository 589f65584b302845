import { onOneLine } from './text.ts';

/** An escaped character, a code span (CommonMark 0.31, section 6.1), or the start of an HTML tag. */
const PART = /\\.|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|</g;

/**
 * The end of a link's text before a target that may have another scheme than http, https and mailto:
 * some run code. Entities and backslashes may hide a scheme.
 */
export const UNSAFE_LINK = /\](?=[(:]\s*(?!https?:|mailto:)[^\s)/?#]{0,64}[:&\\])/i;

const DESCRIPTION_PART = new RegExp(`${PART.source}|${UNSAFE_LINK.source}`, 'gi');

const PLAIN_PART = new RegExp(String.raw`${PART.source}|[[\]]`, 'g');

/** The start of a line that would begin a block: a fence, a list, a heading. */
const BLOCK_START = /^(?:[#>~+=-]|```|\d+(?=[.)]))/;

/** Puts a plain text on one line; code spans stay, HTML and links are shown as text. */
export function inlineMarkdown(text: string): string {
  const line = onOneLine(text).replaceAll(PLAIN_PART, (part) => {
    if (part === '<') return '&lt;';
    return part === '[' || part === ']' ? `\\${part}` : part;
  });
  return line.replace(BLOCK_START, (start) => (/^\d/.test(start) ? `${start}\\` : `\\${start}`));
}

/** Puts a description (CommonMark) on one line; code spans and links stay, HTML is shown as text. */
export function descriptionLine(text: string): string {
  return onOneLine(text).replaceAll(DESCRIPTION_PART, asText);
}

/** Returns a `<` or `]` so that it is shown; other parts are unchanged. */
export function asText(part: string): string {
  if (part === '<') return '&lt;';
  return part === ']' ? String.raw`\]` : part;
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
  const line = onOneLine(text).replaceAll(PART, asText);
  return line.replaceAll(/[[\]\\]/g, String.raw`\$&`);
}

// An escaped backslash does not escape the pipe.
function escapePipes(text: string): string {
  return text.replaceAll(/(\\*)\|/g, (whole, before: string) =>
    before.length % 2 === 0 ? `${before}\\|` : whole,
  );
}
