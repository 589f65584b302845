import MarkdownIt, { type Env } from 'markdown-it';
import {
  asText,
  KEPT,
  replaceOutsideCode,
  UNSAFE_LINK,
} from '../../../../common/escape/markdown.ts';
import { visibleLines } from '../../../../common/escape/text.ts';

/** URLs in angle brackets, and `<br>`, which table cells need. */
const SAFE_TAG = /<(?:https?:\/\/|mailto:)[^\s<>]*>|<br *\/?>/.source;

/** A kept part, a safe tag, another `<`, or an unsafe link. */
const PART = new RegExp(`${KEPT.source}|${SAFE_TAG}|<|${UNSAFE_LINK.source}`, 'gsi');

const CELL_END = /(?<!\\)\|/;

/** Finds only blocks: reading the texts within them takes most of the time of a parser. */
const parser = new MarkdownIt({ html: false }).disable('inline');

/**
 * Returns a description (CommonMark) for a Markdown page: raw HTML and links of other schemes than http,
 * https and mailto are shown as text, hidden characters are escaped, and an open fence is closed.
 */
export function safeMarkdown(description: string): string {
  const text = visibleLines(
    description.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd'),
  ).trimEnd();
  const lines = text.split('\n');
  const isCode = new Set<number>();
  const isTable = new Set<number>();
  const isStart = new Set<number>();
  const tokens = parser.parse(text, {});
  for (const { type, map, level } of tokens) {
    if (map === null) continue;
    isStart.add(map[0]).add(map[1]);
    const marked = type === 'table_open' ? isTable : isCode;
    if (!['table_open', 'fence', 'code_block'].includes(type)) continue;
    // Readers differ in how far a tab indents within a list or quote, and so in what is code.
    const isUncertain = type === 'code_block' && level > 0;
    if (isUncertain && lines.slice(...map).some((line) => line.includes('\t'))) continue;
    for (let line = map[0]; line < map[1]; line += 1) marked.add(line);
  }
  const isFenceLast = tokens.at(-1)?.type === 'fence';
  const blocks: string[] = [];
  let block: string[] = [];
  const flush = () => {
    if (block.length > 0) blocks.push(escapeHtmlIn(block.join('\n')));
    block = [];
  };
  for (const [index, line] of lines.entries()) {
    if (isStart.has(index) || isCode.has(index) || isTable.has(index)) flush();
    if (isCode.has(index)) blocks.push(line);
    // A code span ends within its cell.
    else if (isTable.has(index)) blocks.push(line.split(CELL_END).map(escapeHtmlIn).join('|'));
    else block.push(line);
  }
  flush();
  const shown = [...blocks, ...(isFenceLast ? closingOf(text) : [])].join('\n');
  // For example, backticks in the target of a link do not start code.
  return isSafe(shown) ? shown : withoutMarkup(shown);
}

/**
 * Shows all HTML other than `<br>`, and all links, as text, in code too. A URL in angle brackets is a tag
 * within a block of HTML, which a line with only `<br>` begins (CommonMark 0.31, section 4.6).
 */
function withoutMarkup(text: string): string {
  return text.replaceAll(/<(?!br *\/?>)/gi, '&lt;').replaceAll(']', '&#93;');
}

/** Readers that trust their texts: HTML is HTML, and links may have any scheme. */
const trusting = [
  new MarkdownIt({ html: true }),
  // Without tables, the lines of one are a paragraph: code and links may go on from cell to cell.
  new MarkdownIt('commonmark', { html: true }),
];
for (const reader of trusting) reader.validateLink = () => true;

const UNSAFE_TARGET = /^(?!https?:|mailto:)[^/?#]*:/i;

/** Checks whether readers that trust the text find no HTML and no link of another scheme in it. */
function isSafe(text: string): boolean {
  return !/[<\]]/.test(text) || trusting.every((reader) => isSafeFor(reader, text));
}

function isSafeFor(reader: (typeof trusting)[number], text: string): boolean {
  const env: Env = {};
  const tokens = reader.parse(text, env).flatMap((token) => [token, ...(token.children ?? [])]);
  const hasHtml = tokens.some(({ type, content }) => {
    return type.startsWith('html_') && !/^<br *\/?>\s*$/.test(content);
  });
  const targets = [
    ...tokens.map((token) => token.attrGet('href') ?? token.attrGet('src') ?? ''),
    // Another text on the same page may use these definitions.
    ...Object.values(env.references ?? {}).map(({ href }) => href),
  ];
  return !hasHtml && !targets.some((target) => UNSAFE_TARGET.test(String(target)));
}

function escapeHtmlIn(text: string): string {
  return replaceOutsideCode(text, PART, asText);
}

/** Returns the end of a fence that the text leaves open. */
function closingOf(text: string): readonly string[] {
  const last = parser.parse(`${text}\n\nend`, {}).at(-1);
  return last?.type === 'fence' && last.level === 0 ? [last.markup] : [];
}
