import { escapeJson } from '../../../common/escape/json.ts';
import { descriptionLine, inlineMarkdown } from '../../../common/escape/markdown.ts';
import { printExact } from '../../../common/json/exact.ts';
import type { Model } from '../../model/model.ts';
import { bannerText } from '../banner.ts';
import { loadTargets } from '../index.ts';
import type { Rendered, Target, TargetOptions } from '../target.ts';
import { target as validators } from '../validators/target.ts';
import { type DocsAssets, type SitePlace, docsSummary } from './assets.ts';
import { consoleFiles } from './data.ts';
import { createFrame, compileTemplates } from './frame.ts';
import { llmsText, pageNames } from './navigation.ts';
import type { Page, RenderContext, SearchRecord } from './page.ts';
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

/** Titles and paths of the pages, for the search of names that are almost right. */
const PAGE_NAMES = 'data/pages.json';

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
      const context = { site, highlight, markdown: createMarkdown(site, highlight) };
      const frame = createFrame(site, render, options);
      const files = new Map<string, string>();
      const summaries = new Map<string, string>();
      const records: SearchRecord[] = [];
      // One page at a time: the views of all pages would need more memory than the pages.
      for (const page of makePages(context)) {
        files.set(`${page.path}.html`, joinedText(frame(page)));
        for (const [path, text] of markdownFile(page, options)) files.set(path, joinedText(text));
        summaries.set(page.path, page.summary);
        records.push(...(page.records ?? []));
      }
      return new Map([
        ...assets.files,
        ...files,
        [MISSING_PAGE, frame(missingPage(site), base)],
        ...consoleFiles(site),
        ['llms.txt', llmsText(site, summaries)],
        [PAGE_NAMES, printJson(pageNames(site))],
        ['openrpc.json', `${escapeJson(printExact(model.document, 2))}\n`],
        [SITE_CONFIG, printJson({ networks: site.networks, key: null })],
        [SEARCH_RECORDS, printJson(records)],
        ...(await validatorFiles(model, options)),
      ]);
    },
  };
}

/** Returns a copy: a text made of many parts holds all of them, and their views, in memory. */
function joinedText(text: string): string {
  return Buffer.from(text).toString();
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

function* makePages(context: RenderContext): Generator<Page> {
  const { site } = context;
  const { model, guides } = site;
  const users = findTypeUsers(context);
  yield overviewPage(context);
  for (const guide of guides) yield guidePage(guide, context);
  for (const method of model.methods) yield methodPage(method, context);
  if (model.schemas.size > 0) yield typesPage(context);
  for (const schema of model.schemas.values()) yield typePage(schema, context, users);
  if (model.errors.length > 0) yield errorsPage(context);
  if (site.hasCredits) yield creditsPage(context);
  if (site.networks.length > 0) yield networksPage(context);
  if (site.hasServiceMethods) yield serviceMethodsPage(context);
  if (site.hasDecisions) yield decisionsPage(context);
}
