import MarkdownIt, { type Token } from 'markdown-it';
import { asHtml, escapeHtml, type Html } from '../html.ts';
import { createIds, type Ids } from '../ids.ts';
import { rootFrom, type Site } from '../site.ts';
import type { Highlight } from './highlight.ts';
import { linkTarget } from './link-target.ts';

/** A heading of a text, for the table of contents and the search. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

export interface MarkdownText {
  readonly html: Html;
  readonly headings: readonly Heading[];
}

export interface MarkdownPlace {
  /** The page the text is shown on, without extension. */
  readonly path: string;
  readonly ids?: Ids;
}

export interface MarkdownRenderer {
  /** A text of its own: paragraphs, headings (from h2 on), tables. */
  render(text: string, place: MarkdownPlace): MarkdownText;
  /** A text within a line. */
  renderInline(text: string, place: MarkdownPlace): Html;
}

interface Environment {
  readonly path: string;
  readonly ids: Ids;
  readonly headings: Heading[];
}

/**
 * Markdown of the document and of the guides (CommonMark with tables) as HTML. Raw HTML is shown as
 * text, only http, https and mail addresses become links, images become links to them. A method or
 * an error named in code is linked to its page.
 */
export function createMarkdown(site: Site, highlight: Highlight): MarkdownRenderer {
  const markdown = new MarkdownIt({ html: false, linkify: false }).disable('image');
  // The one element of HTML that tables of Markdown cannot do without.
  markdown.inline.ruler.before('text', 'line_break', (state, silent) => {
    const [tag] = /^<br *\/?>/i.exec(state.src.slice(state.pos, state.pos + 8)) ?? [];
    if (tag === undefined) return false;
    if (!silent) state.push('hardbreak', 'br', 0);
    state.pos += tag.length;
    return true;
  });
  // Which links are followed is decided below, where a refused one still shows its text.
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
    if (linkBefore(tokens, index) !== undefined) return code;
    const page = site.findMethod(content) ?? site.findError(content);
    if (page === null || page.split('#')[0] === `${path}.html`) return code;
    return `<a href="${escapeHtml(rootFrom(path) + page)}">${code}</a>`;
  };
  rules.fence = (tokens, index) => {
    const { content, info } = tokens[index]!;
    return codeBlock(content.trimEnd(), info.trim().split(/\s/)[0] ?? '', highlight);
  };
  rules.code_block = (tokens, index) => codeBlock(tokens[index]!.content.trimEnd(), '', highlight);
  rules.table_open = () =>
    '<div class="table" tabindex="0" role="group" aria-label="Table"><table>';
  rules.table_close = () => '</table></div>\n';
  // A header without text would be announced as one: it is only a gap above the first column.
  rules.th_open = (tokens, index) => {
    if (tokens[index + 1]?.content === '') retag(tokens.slice(index, index + 3), 'td');
    return cellTag(tokens[index]!);
  };
  rules.td_open = (tokens, index) => cellTag(tokens[index]!);
  rules.link_open = (tokens, index, _options, env) => {
    const href = targetOf(tokens[index], env);
    if (href === null) return '<span>';
    const rel = /^[a-z]+:/i.test(href) ? ' rel="noopener noreferrer"' : '';
    return `<a href="${escapeHtml(href)}"${rel}>`;
  };
  rules.link_close = (tokens, index, _options, env) =>
    targetOf(linkBefore(tokens, index), env) === null ? '</span>' : '</a>';

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

/** The page has the one h1. */
function levelOf({ tag }: Token): number {
  return Math.max(2, Number(tag.slice(1)));
}

/** The link that is open at a token, if any. */
function linkBefore(tokens: readonly Token[], index: number): Token | undefined {
  const nearest = tokens
    .slice(0, index)
    .findLast(({ type }) => type === 'link_open' || type === 'link_close');
  return nearest?.type === 'link_open' ? nearest : undefined;
}

/** Columns of figures by a class: the policy of the pages allows no styles in attributes. */
function cellTag(cell: Token): string {
  const { tag } = cell;
  return String(cell.attrGet('style')).includes('right') ? `<${tag} class="number">` : `<${tag}>`;
}

function retag(tokens: readonly Token[], tag: string): void {
  for (const token of tokens) if (token.tag !== '') token.tag = tag;
}

function codeBlock(code: string, language: string, highlight: Highlight): string {
  return `<pre class="code" tabindex="0" role="group" aria-label="Code"><code>${highlight(code, language)}</code></pre>\n`;
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('');
}
