import { escapeJson } from '../../../common/escape/json.ts';
import { inlineMarkdown } from '../../../common/escape/markdown.ts';
import { onOneLine } from '../../../common/escape/text.ts';
import { printExact } from '../../../common/json/exact.ts';
import type { Model } from '../../model/model.ts';
import { bannerText } from '../banner.ts';
import type { Rendered, Target, TargetOptions } from '../target.ts';
import { target as validators } from '../validators/target.ts';
import type { DocsAssets } from './assets.ts';
import type { SitePlace } from './base.ts';
import { methodData } from './data.ts';
import { createFrame } from './frame.ts';
import { llmsText } from './llms.ts';
import type { Page } from './page.ts';
import { makePages } from './pages/all.ts';
import { missingPage } from './pages/missing.ts';
import { createSite } from './site.ts';
import { docsSummary } from './summary.ts';
import { compileTemplates } from './templates.ts';
import { loadHighlight } from './text/highlight.ts';
import { createMarkdown } from './text/markdown.ts';

/** Where the pure part of the site keeps what the search index is built from. */
export const SEARCH_RECORDS = 'data/search.json';

/** Where the browser reads the addresses of the networks; a server may answer it with its own. */
export const SITE_CONFIG = 'config.json';

/** What servers of files answer with where there is no file. */
export const MISSING_PAGE = '404.html';

/**
 * The documentation site of a document. Templates, styles and guides are handed in. The browser's
 * scripts and the search index are no text of the Model's: who composes the site adds them.
 */
export function createDocs(assets: DocsAssets, { base = '/' }: SitePlace = {}): Target {
  const render = compileTemplates(assets.templates);
  return {
    name: 'docs',
    language: null,
    summary: docsSummary,
    isLaidOut: true,
    async render(model, options) {
      const site = createSite(model, assets.guides);
      const highlight = await loadHighlight();
      const markdown = createMarkdown(site, highlight);
      const { renderSamples } = assets;
      const pages = makePages({ site, highlight, markdown, renderSamples });
      const frame = createFrame(site, render, options);
      return new Map([
        ...assets.files,
        ...pages.map((page): [string, string] => [`${page.path}.html`, frame(page)]),
        [MISSING_PAGE, frame(missingPage(site), base)],
        ...pages.flatMap((page) => twinOf(page, options)),
        ...model.methods.map((method): [string, string] => [
          `${site.methodPath(method.name)}.json`,
          methodData(method, site),
        ]),
        ['llms.txt', llmsText(site, pages)],
        ['openrpc.json', `${escapeJson(printExact(model.document, 2))}\n`],
        [SITE_CONFIG, printJson({ networks: site.networks, key: null })],
        [SEARCH_RECORDS, printJson(pages.flatMap(({ records }) => records))],
        ...(await validatorFiles(model, options)),
      ]);
    },
  };
}

function twinOf(
  { path, title, summary, markdown }: Page,
  options: TargetOptions,
): [path: string, text: string][] {
  if (markdown === null) return [];
  const intro = summary === '' || markdown.startsWith(summary) ? '' : `> ${onOneLine(summary)}\n\n`;
  return [
    [
      `${path}.md`,
      `<!-- ${bannerText(options)} -->\n# ${inlineMarkdown(title)}\n\n${intro}${markdown}\n`,
    ],
  ];
}

async function validatorFiles(model: Model, options: TargetOptions): Promise<Rendered> {
  const files = await validators.render(model, options);
  return new Map(
    [...files]
      .filter(([path]) => path.endsWith('.js'))
      .map(([path, text]) => [`data/${path}`, text]),
  );
}

function printJson(value: unknown): string {
  return `${escapeJson(JSON.stringify(value))}\n`;
}
