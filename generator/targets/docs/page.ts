import { type Html, createIds, type Ids } from './html.ts';
import { createDescriber, type Describe } from './schema/describe.ts';
import { rootFrom, type Site } from './site.ts';
import type { Highlight, HighlightBudget } from './text/highlight.ts';
import type { Heading, MarkdownRenderer, MarkdownText } from './text/markdown.ts';

/** A page without its frame. */
export interface Page {
  /** Relative to the site, without extension: "methods/eth_getProof". */
  readonly path: string;
  readonly title: string;
  /** One line, plain text. */
  readonly summary: string;
  /** Name of the content's template, also used in styles. */
  readonly template: string;
  readonly view: object;
  /** The Markdown version without title; null if there is none. */
  readonly markdown: string | null;
  /** For the table of contents. */
  readonly headings?: readonly Heading[];
  readonly records?: readonly SearchRecord[];
}

/** An entry of the search index. */
export interface SearchRecord {
  /** Relative to the site, with fragment. */
  readonly url: string;
  readonly title: string;
  /** "method", "parameter", "field", "error", "type", "guide". */
  readonly kind: string;
  /** The method, type or guide it belongs to. */
  readonly context: string;
  readonly text: string;
}

/** What all pages are rendered with. */
export interface RenderContext {
  readonly site: Site;
  readonly highlight: Highlight;
  readonly markdown: MarkdownRenderer;
  /** What all code samples may take. */
  readonly sampleBudget: HighlightBudget;
}

/** What one page is rendered with: its ids, and links relative to it. */
export interface PageTools {
  readonly site: Site;
  readonly root: string;
  readonly ids: Ids;
  readonly highlight: Highlight;
  text(markdown: string): MarkdownText;
  html(markdown: string): Html;
  inline(markdown: string): Html;
  /** Creates a function that describes schemas, with a limit on their total size. */
  describer(use?: 'input' | 'output'): Describe;
}

const FRAME_IDS = ['content', 'menu', 'search', 'search-input', 'search-results', 'try-it', 'top'];

export function createPageTools(
  { site, highlight, markdown }: RenderContext,
  path: string,
): PageTools {
  const ids = createIds(FRAME_IDS);
  const text = (source: string) => markdown.render(source, { path, ids });
  const html = (source: string) => text(source).html;
  return {
    site,
    root: rootFrom(path),
    ids,
    highlight,
    text,
    html,
    inline: (source) => markdown.renderInline(source, { path }),
    describer: (use = 'output') =>
      createDescriber({ site, ids, markdown: html, isInput: use === 'input' }),
  };
}
