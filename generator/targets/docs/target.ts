import { escapeJson } from '../../../common/escape/json.ts';
import { descriptionLine, inlineMarkdown } from '../../../common/escape/markdown.ts';
import { printExact } from '../../../common/json/exact.ts';
import type { Model } from '../../model/model.ts';
import { bannerText } from '../banner.ts';
import { loadTargets } from '../index.ts';
import type { Rendered, Target, TargetOptions } from '../target.ts';
import { target as validators } from '../validators/target.ts';
import { type DocsAssets, type SitePlace, docsSummary } from './assets.ts';
import { methodData } from './data.ts';
import { createFrame, compileTemplates } from './frame.ts';
import { llmsText } from './navigation.ts';
import type { Page, RenderContext } from './page.ts';
import { errorsPage } from './pages/errors.ts';
import { guidePage } from './pages/guide.ts';
import { methodPage } from './pages/method.ts';
import { missingPage, overviewPage } from './pages/overview.ts';
import { creditsPage, decisionsPage, networksPage, serviceMethodsPage } from './pages/reference.ts';
import { findTypeUsers, typePage, typesPage } from './pages/types.ts';
import { createSite } from './site.ts';
import { loadHighlight } from './text/highlight.ts';
import { createMarkdown } from './text/markdown.ts';

/** Input of the search index. */
export const SEARCH_RECORDS = 'data/search.json';

/** The URLs of the networks. A server may replace it by its own. */
const SITE_CONFIG = 'config.json';

/** The page for missing files, as static hosts name it. */
export const MISSING_PAGE = '404.html';

/**
 * Creates the target of a documentation site, without browser scripts and search index, which bin/docs
 * adds.
 */
export function createDocs(assets: DocsAssets, { base = '/' }: SitePlace = {}): Target {
  const render = compileTemplates(assets.templates);
  return {
    name: 'docs',
    language: null,
    summary: docsSummary,
    isFormatted: true,
    async render(model, options) {
      const targets = await loadTargets();
      const site = createSite(model, assets.guides, targets);
      const highlight = await loadHighlight(targets);
      const pages = makePages({ site, highlight, markdown: createMarkdown(site, highlight) });
      const frame = createFrame(site, render, options);
      return new Map([
        ...assets.files,
        ...pages.map((page): [string, string] => [`${page.path}.html`, frame(page)]),
        [MISSING_PAGE, frame(missingPage(site), base)],
        ...pages.flatMap((page) => markdownFile(page, options)),
        ...model.methods.map((method): [string, string] => [
          `${site.methodPath(method.name)}.json`,
          methodData(method, site),
        ]),
        ['llms.txt', llmsText(site, pages)],
        ['openrpc.json', `${escapeJson(printExact(model.document, 2))}\n`],
        [SITE_CONFIG, printJson({ networks: site.networks, key: null })],
        [SEARCH_RECORDS, printJson(pages.flatMap(({ records = [] }) => records))],
        ...(await validatorFiles(model, options)),
      ]);
    },
  };
}

function markdownFile(
  { path, title, summary, markdown }: Page,
  options: TargetOptions,
): [path: string, text: string][] {
  if (markdown === null) return [];
  const starts = [inlineMarkdown(summary), descriptionLine(summary)];
  const isRepeated = starts.some((start) => markdown.startsWith(start));
  const intro = isRepeated ? '' : `> ${inlineMarkdown(summary)}\n\n`;
  const head = `<!-- ${bannerText(options)} -->\n# ${inlineMarkdown(title)}\n\n`;
  return [[`${path}.md`, `${head}${intro}${markdown}\n`]];
}

async function validatorFiles(model: Model, options: TargetOptions): Promise<Rendered> {
  const files = [...(await validators.render(model, options))];
  const scripts = files.filter(([path]) => path.endsWith('.js'));
  return new Map(scripts.map(([path, text]) => [`data/${path}`, text]));
}

function printJson(value: unknown): string {
  return `${escapeJson(JSON.stringify(value))}\n`;
}

function makePages(context: RenderContext): readonly Page[] {
  const { site } = context;
  const { model, guides } = site;
  const users = findTypeUsers(context);
  return [
    overviewPage(context),
    ...guides.map((guide) => guidePage(guide, context)),
    ...model.methods.map((method) => methodPage(method, context)),
    ...(model.schemas.size > 0 ? [typesPage(context)] : []),
    ...[...model.schemas.values()].map((schema) => typePage(schema, context, users)),
    ...(model.errors.length > 0 ? [errorsPage(context)] : []),
    ...(site.hasCredits ? [creditsPage(context)] : []),
    ...(site.networks.length > 0 ? [networksPage(context)] : []),
    ...(site.hasServiceMethods ? [serviceMethodsPage(context)] : []),
    ...(site.hasDecisions ? [decisionsPage(context)] : []),
  ];
}
