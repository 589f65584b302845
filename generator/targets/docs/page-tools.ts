import type { DocsAssets } from './assets.ts';
import type { Html } from './html.ts';
import { createIds, type Ids } from './ids.ts';
import { createDescriber, type Describe } from './schema/describe.ts';
import { rootFrom, type Site } from './site.ts';
import type { Highlight } from './text/highlight.ts';
import type { MarkdownRenderer, MarkdownText } from './text/markdown.ts';

/** What all pages are made with. */
export interface Workshop {
  readonly site: Site;
  readonly highlight: Highlight;
  readonly markdown: MarkdownRenderer;
  readonly renderSamples: DocsAssets['renderSamples'];
}

/** What one page is made with: its own ids, and links as seen from where it lies. */
export interface PageTools {
  readonly site: Site;
  readonly root: string;
  readonly ids: Ids;
  readonly highlight: Highlight;
  text(markdown: string): MarkdownText;
  html(markdown: string): Html;
  inline(markdown: string): Html;
  /** A function that describes schemas, with a bound of its own on how much it shows. */
  describer(use?: 'input' | 'output'): Describe;
}

/** Ids of the frame, which no content may take. */
const FRAME_IDS = ['content', 'menu', 'search', 'search-input', 'search-results', 'try-it', 'top'];

export function createPageTools({ site, highlight, markdown }: Workshop, path: string): PageTools {
  const ids = createIds(FRAME_IDS);
  const html = (text: string) => markdown.render(text, { path, ids }).html;
  return {
    site,
    root: rootFrom(path),
    ids,
    highlight,
    text: (text) => markdown.render(text, { path, ids }),
    html,
    inline: (text) => markdown.renderInline(text, { path }),
    describer: (use = 'output') =>
      createDescriber({ site, ids, markdown: html, isInput: use === 'input' }),
  };
}
