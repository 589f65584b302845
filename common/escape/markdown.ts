import { linesOf, onOneLine } from './text.ts';

/** An escaped character, or a run of backticks. */
export const KEPT = /\\.|`+/;

/** A kept part, or the start of an HTML tag. */
const PART = new RegExp(`${KEPT.source}|<`, 'g');

/**
 * The end of a link's text before a target whose scheme may be other than http, https and mailto: some
 * schemes run code. Entities and backslashes may hide a scheme.
 */
export const UNSAFE_LINK = /\](?=[(:]\s*(?!https?:|mailto:)[^\s)/?#]{0,64}[:&\\])/i;

const DESCRIPTION_PART = new RegExp(`${PART.source}|${UNSAFE_LINK.source}`, 'gi');

/** For a line whose code spans are not known. */
const UNCERTAIN_PART = new RegExp(String.raw`\\.|[<\`]|${UNSAFE_LINK.source}`, 'gi');

/** A link with a target and no title, in which no code begins. */
const PLAIN_LINK = /\]\((?:[^()`"'<\\]|\([^()`"'<\\]*\))*\)/g;

const PLAIN_PART = new RegExp(String.raw`${PART.source}|[[\]]`, 'g');

/** The start of a line that would begin a block: a fence, a list, a heading. */
const BLOCK_START = /^(?:[#>~+=-]|```|\d+(?=[.)]))/;

/** Puts a plain text on one line; code spans stay, HTML and links are shown as text. */
export function inlineMarkdown(text: string): string {
  // First, because it may change which backticks begin code.
  const line = onOneLine(text).replace(BLOCK_START, (start) =>
    /^\d/.test(start) ? `${start}\\` : `\\${start}`,
  );
  return replaceOutsideCode(line, PLAIN_PART, (part) => {
    return part === '[' ? String.raw`\[` : asTextBefore(part);
  });
}

/** Puts a plain text on one line; all markup in it, code too, is shown as text. */
export function plainMarkdown(text: string): string {
  // Before `onOneLine` escapes hidden characters with backslashes.
  return onOneLine(text.replaceAll(/[\\`*<[\]|]/g, String.raw`\$&`));
}

/** The start of HTML, or the end of a link's text before a target that is not on the web, as of a file. */
export const ACTIVE = /<(?=[a-z/!?])|\](?=[(:]\s*(?!https?:\/\/|mailto:|#))/i;

const ACTIVE_PART = new RegExp(`${KEPT.source}|${ACTIVE.source}`, 'gi');

/** A line whose code is certain: pairs of single backticks, in no cell of a table and no target of a link. */
const CERTAIN_LINE = /^(?!.*(?:\\`|``|\||~~~|\][(:]))[^`]*(?:`[^`]*`[^`]*)*$/;

/**
 * Escapes HTML, and links to files, in a description (CommonMark) in a comment. Code keeps its text where it
 * surely is code, in the whole description.
 */
export function inertMarkdown(text: string): string {
  const lines = linesOf(text);
  const escape = (part: string): string => (/^[<\]]/.test(part) ? `\\${part}` : part);
  const isCertain = lines.every((line) => CERTAIN_LINE.test(line));
  return lines
    .map((line) =>
      isCertain
        ? replaceOutsideCode(line, ACTIVE_PART, escape)
        : line.replaceAll(ACTIVE_PART, escape),
    )
    .join('\n');
}

/** Puts a description (CommonMark) on one line; code spans and links stay, HTML is shown as text. */
export function descriptionLine(text: string): string {
  const line = onOneLine(text);
  // Backticks in the target of a link begin no code.
  const isUncertain = /\](?:\(|\s*:)/.test(line.replaceAll(PLAIN_LINK, ']'));
  return isUncertain
    ? line.replaceAll(UNCERTAIN_PART, asTextBefore)
    : replaceOutsideCode(line, DESCRIPTION_PART, asTextBefore);
}

/**
 * Replaces the parts that `expression` matches, except within code spans. The expression is global and
 * matches kept parts too: of the runs of backticks, those that begin no code span are replaced.
 */
export function replaceOutsideCode(
  text: string,
  expression: RegExp,
  replace: (part: string) => string,
): string {
  const endOfCode = createCodeSearch(text);
  let replaced = '';
  let end = 0;
  expression.lastIndex = 0;
  for (let found = expression.exec(text); found !== null; found = expression.exec(text)) {
    const [part] = found;
    const codeEnd = part.startsWith('`') ? endOfCode(expression.lastIndex, part.length) : null;
    if (codeEnd === null) {
      replaced += text.slice(end, found.index) + replace(part);
      end = expression.lastIndex;
    } else expression.lastIndex = codeEnd;
  }
  return replaced + text.slice(end);
}

/**
 * Returns a function that finds the end of the code span that a run of backticks begins: the next run of
 * the same length (CommonMark 0.31, section 6.1). It is called from the start of the text to its end, and
 * so takes linear time for all runs.
 */
function createCodeSearch(text: string): (from: number, length: number) => number | null {
  const ends = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const ofLength = ends.get(run.length) ?? [];
    ofLength.push(index + run.length);
    ends.set(run.length, ofLength);
  }
  for (const ofLength of ends.values()) ofLength.reverse();
  return (from, length) => {
    const ofLength = ends.get(length) ?? [];
    while (ofLength.length > 0 && ofLength.at(-1)! <= from) ofLength.pop();
    return ofLength.at(-1) ?? null;
  };
}

/**
 * Like `asText`, for a part that more text on the same line follows: backticks that end no code span are
 * escaped, since they could begin one that ends in that text.
 */
function asTextBefore(part: string): string {
  return /^`+$/.test(part) ? part.replaceAll('`', String.raw`\``) : asText(part);
}

/** Escapes a `<` or `]` so that it is shown as such; returns other parts unchanged. */
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
  const line = onOneLine(text).replaceAll(/[[\]\\]/g, String.raw`\$&`);
  return replaceOutsideCode(line, PART, asTextBefore);
}

// An escaped backslash does not escape the pipe.
function escapePipes(text: string): string {
  return text.replaceAll(/(?<!\\)(\\*)\|/g, (whole, before: string) =>
    before.length % 2 === 0 ? `${before}\\|` : whole,
  );
}
