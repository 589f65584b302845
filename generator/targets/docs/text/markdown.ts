import MarkdownIt, { type Token } from 'markdown-it';
import {
  asHtml,
  createIds,
  escapeHtml,
  fragmentOf,
  type Html,
  type Ids,
  safeUrl,
} from '../html.ts';
import { decodeUri } from '../../../../common/json/pointer.ts';
import { rootFrom, type Site } from '../site.ts';
import type { Highlight } from './highlight.ts';

/** A heading, for the table of contents and the search. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

export interface MarkdownText {
  readonly html: Html;
  readonly headings: readonly Heading[];
}

interface MarkdownPlace {
  /** Page that shows the text, without extension. */
  readonly path: string;
  readonly ids?: Ids;
}

export interface MarkdownRenderer {
  /** Renders blocks: paragraphs, headings (h2 and below), tables. */
  render(text: string, place: MarkdownPlace): MarkdownText;
  renderInline(text: string, place: MarkdownPlace): Html;
}

interface Environment extends Required<MarkdownPlace> {
  readonly headings: Heading[];
  /** The link that is open at the current token. */
  link?: Token | undefined;
}

/**
 * Maximum characters of code blocks on a site that are highlighted by a grammar: hostile ones take up to
 * 0.1 ms per character.
 */
const MAX_HIGHLIGHTED_CHARACTERS = 200_000;

/**
 * Creates the renderer for the document's and the guides' Markdown (CommonMark with tables). Raw HTML is
 * shown as text, images become links, and only http, https and mailto links are kept. Names of methods
 * and errors in code are linked to their pages.
 */
export function createMarkdown(site: Site, highlight: Highlight): MarkdownRenderer {
  const markdown = new MarkdownIt({ html: false, linkify: false }).disable('image');
  // Markdown tables need <br> for line breaks.
  markdown.inline.ruler.before('text', 'line_break', (state, silent) => {
    const [tag] = /^<br *\/?>/i.exec(state.src.slice(state.pos, state.pos + 8)) ?? [];
    if (tag === undefined) return false;
    if (!silent) state.push('hardbreak', 'br', 0);
    state.pos += tag.length;
    return true;
  });
  // `linkTarget` decides about links, so that the text of a rejected one is still shown.
  markdown.validateLink = () => true;
  const { rules } = markdown.renderer;
  const targetOf = (link: Token | undefined, env: unknown) =>
    linkTarget(String(link?.attrGet('href') ?? ''), within(env).path, site);

  rules.heading_open = (tokens, index, _options, env) => {
    const text = plainText(tokens[index + 1]?.children ?? []);
    const id = within(env).ids(text.toLowerCase());
    within(env).headings.push({ level: levelOf(tokens[index]!), text, id });
    return `<h${levelOf(tokens[index]!)} id="${escapeHtml(id)}">`;
  };
  rules.heading_close = (tokens, index) => `</h${levelOf(tokens[index]!)}>\n`;
  rules.code_inline = (tokens, index, _options, env) => {
    const { content } = tokens[index]!;
    const { path } = within(env);
    const code = `<code>${escapeHtml(content)}</code>`;
    if (within(env).link !== undefined) return code;
    const page = site.findMethod(content) ?? site.findError(content);
    if (page === null || page.split('#')[0] === `${path}.html`) return code;
    return `<a href="${escapeHtml(rootFrom(path) + page)}">${code}</a>`;
  };
  const budget = { left_characters: MAX_HIGHLIGHTED_CHARACTERS };
  rules.fence = (tokens, index) => {
    const { content, info } = tokens[index]!;
    const language = info.trim().split(/\s/)[0] ?? '';
    return codeBlock(highlight(content.trimEnd(), language, budget));
  };
  rules.code_block = (tokens, index) => codeBlock(escapeHtml(tokens[index]!.content.trimEnd()));
  rules.table_open = () =>
    '<div class="table" tabindex="0" role="group" aria-label="Table"><table>';
  rules.table_close = () => '</table></div>\n';
  // Screen readers would announce an empty header cell.
  rules.th_open = (tokens, index) => {
    if (tokens[index + 1]?.content === '') {
      for (const token of tokens.slice(index, index + 3)) if (token.tag !== '') token.tag = 'td';
    }
    return cellTag(tokens[index]!);
  };
  rules.td_open = (tokens, index) => cellTag(tokens[index]!);
  rules.link_open = (tokens, index, _options, env) => {
    within(env).link = tokens[index];
    const href = targetOf(tokens[index], env);
    if (href === null) return '<span>';
    const rel = /^[a-z]+:/i.test(href) ? ' rel="noopener noreferrer"' : '';
    return `<a href="${escapeHtml(href)}"${rel}>`;
  };
  rules.link_close = (_tokens, _index, _options, env) => {
    const isShown = targetOf(within(env).link, env) !== null;
    within(env).link = undefined;
    return isShown ? '</a>' : '</span>';
  };

  return {
    render(text, { path, ids = createIds() }) {
      const headings: Heading[] = [];
      const html = asHtml(markdown.render(text, { path, ids, headings }));
      return { html, headings };
    },
    renderInline: (text, { path, ids = createIds() }) =>
      asHtml(markdown.renderInline(text, { path, ids, headings: [] })),
  };
}

function within(env: unknown): Environment {
  return env as Environment;
}

/** Returns the level of a heading, at least 2: the only h1 is the page's title. */
function levelOf({ tag }: Token): number {
  return Math.max(2, Number(tag.slice(1)));
}

/** Aligns number columns by a class: the Content-Security-Policy forbids inline styles. */
function cellTag(cell: Token): string {
  const { tag } = cell;
  return String(cell.attrGet('style')).includes('right') ? `<${tag} class="number">` : `<${tag}>`;
}

function codeBlock(code: Html): string {
  return `<pre class="code" tabindex="0" role="group" aria-label="Code"><code>${code}</code></pre>\n`;
}

function plainText(tokens: readonly Token[]): string {
  const texts = tokens.filter(({ type }) => type === 'text' || type === 'code_inline');
  return texts.map(({ content }) => content).join('');
}

/** Reference pages that a text can link to, in addition to guides, methods and types. */
const PAGES = new Set(['index', 'errors', 'credits', 'networks', 'decisions', 'types/index']);

/**
 * Resolves a link in a text on the page at `path`: to another site (http, https, mailto) or to a page of
 * this one. Returns null for other links, which are shown as plain text.
 */
function linkTarget(href: string, path: string, site: Site): string | null {
  const [, target = '', hash = ''] = /^([^#]*)(#.*)?$/s.exec(href) ?? [];
  if (target === '') return hash === '' ? null : fragmentOf(decodeUri(hash.slice(1)));
  const outside = safeUrl(href);
  if (outside !== null) return outside;
  if (/^[a-z][a-z\d+.-]*:|^\/|\\/i.test(target)) return null;
  const page = new URL(target, `https://site.invalid/${path}`).pathname.slice(1);
  if (!isPage(decodeUri(page), site)) return null;
  return rootFrom(path) + page.replace(/\.md$/, '.html') + hash;
}

function isPage(path: string, site: Site): boolean {
  if (path === 'openrpc.json') return true;
  const [, name] = /^(.*)\.(?:md|html)$/.exec(path) ?? [];
  if (name === undefined) return false;
  return PAGES.has(name) || site.hasPage(name);
}
