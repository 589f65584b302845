import { onOneLine } from './text.ts';

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
  // Before `onOneLine` escapes hidden characters with backslashes. In a URL, a backslash escapes nothing.
  return onOneLine(text.replaceAll(/[\\`*[\]|]/g, String.raw`\$&`).replaceAll('<', '&lt;'));
}

/** A code span that every reader of Markdown takes as one, in a table too. */
const SURE_CODE = /(?<!`)`[^`|\\]+`(?!`)/g;

/**
 * The start of HTML, even if backslashes are removed, and the end of a link's text before a target that is not
 * on the web, as of a file.
 */
const ACTIVE = /<(?=\\*[a-z/!?])|\](?=[(:]\s*(?!https?:\/\/|mailto:|#))/;

/**
 * Returns a function that escapes the lines of a comment for programs that show comments as Markdown, or do
 * something by tags, which `more` matches. Code stays as it is if it is sure for all lines what is code.
 */
export function createCommentEscape(
  lines: readonly string[],
  more = /(?!)/,
): (line: string) => string {
  const active = `${ACTIVE.source}|${more.source}`;
  const isSure = lines.every(isSureOfCode);
  const expression = new RegExp(isSure ? `${SURE_CODE.source}|${active}` : active, 'gi');
  return (line) =>
    line.replaceAll(expression, (part) => {
      if (part.startsWith('`')) return part;
      if (part === '<') return '&lt;';
      // Some readers ignore a backslash before the bracket.
      return part === ']' ? `${part}\\` : `\\${part}`;
    });
}

function isSureOfCode(line: string): boolean {
  if (/\](?:\(|\s*:)/.test(line.replaceAll(PLAIN_LINK, ']'))) return false;
  const outside = line.replaceAll(SURE_CODE, '\0');
  if (outside.includes('`') || line.includes('\\`')) return false;
  const words = outside.split(/\s/).map((word) => word.slice(0, word.lastIndexOf('\0') + 1));
  return !words.some((word) => URL_IN_WORD.test(word));
}

/**
 * What makes a word a URL for some readers of Markdown, up to the next space (GitHub Flavored Markdown,
 * section 6.9). Backticks in it begin no code.
 */
const URL_IN_WORD = /\/\/|@|www\.|mailto:/i;

const URL_OR_SPACE = new RegExp(String.raw`${URL_IN_WORD.source}|[ \t\n]`, 'gi');

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
 * matches kept parts too: of the runs of backticks, those that begin no code span are replaced, and those in
 * a URL are escaped, since only some readers see the URL.
 */
export function replaceOutsideCode(
  text: string,
  expression: RegExp,
  replace: (part: string) => string,
): string {
  const endOfCode = createCodeSearch(text);
  const isInUrl = createUrlSearch(text);
  let codeEnd = 0;
  let replaced = '';
  let end = 0;
  expression.lastIndex = 0;
  for (let found = expression.exec(text); found !== null; found = expression.exec(text)) {
    const [part] = found;
    const isBackticks = part.startsWith('`');
    const isPartOfUrl = isBackticks && isInUrl(found.index, codeEnd);
    const next = isBackticks && !isPartOfUrl ? endOfCode(expression.lastIndex, part.length) : null;
    if (next === null) {
      replaced += text.slice(end, found.index) + (isPartOfUrl ? asTextBefore(part) : replace(part));
      end = expression.lastIndex;
    } else {
      codeEnd = next;
      expression.lastIndex = next;
    }
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
 * Returns a function that finds out whether a position is within a word that is a URL, of which no part is
 * before `start`. It is called from the start of the text to its end, and so takes linear time for all
 * positions.
 */
function createUrlSearch(text: string): (position: number, start: number) => boolean {
  const marks = text.matchAll(URL_OR_SPACE);
  let mark = marks.next().value;
  let url: number | undefined;
  return (position, start) => {
    for (; mark !== undefined && mark.index < position; mark = marks.next().value) {
      url = mark[0].trim() === '' ? undefined : mark.index;
    }
    return url !== undefined && url >= start;
  };
}

/**
 * Like `asText`, for a part that more text on the same line follows: backticks that end no code span are
 * escaped, since they could begin one that ends in that text.
 */
function asTextBefore(part: string): string {
  return /^`+$/.test(part) ? part.replaceAll('`', String.raw`\``) : asText(part);
}

/**
 * Escapes a `<` or `]` so that it is shown as such; returns other parts unchanged. A backslash before a `<` is
 * replaced too, because it escapes nothing in a URL.
 */
export function asText(part: string): string {
  if (part === '<' || part === String.raw`\<`) return '&lt;';
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
