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

/** Titles and paths of the pages, for the search for similar names. */
const PAGE_NAMES = 'data/pages.json';

/** The URLs of the networks. A server may replace it with its own. */
const SITE_CONFIG = 'config.json';

/** The page for missing files, as static hosts name it. */
export const MISSING_PAGE = '404.html';

/** Maximum number of search records: indexing 20,000 takes some seconds, and more of them take longer each. */
const MAX_RECORDS = 20_000;

/** Code samples beyond this many characters are not highlighted: a grammar takes longer than the page. */
const MAX_SAMPLE_CHARACTERS = 1_000_000;

/** A file of a site: its path and text. */
export type RenderedFile = readonly [path: string, text: string];

interface DocsTarget extends Target {
  /** Renders one file at a time: the texts of a large site, all at once, would not fit into the heap. */
  files(model: Model, options: TargetOptions): AsyncGenerator<RenderedFile>;
}

/**
 * Creates the target of a documentation site, without browser scripts and search index, which bin/docs
 * adds.
 */
export function createDocs(assets: DocsAssets, { base = '/' }: SitePlace = {}): DocsTarget {
  const render = compileTemplates(assets.templates);
  async function* files(model: Model, options: TargetOptions): AsyncGenerator<RenderedFile> {
    yield* await validatorFiles(model, options);
    yield* assets.files;
    const targets = await loadTargets();
    const site = createSite(model, assets.guides, targets);
    const highlight = await loadHighlight(targets);
    const frame = createFrame(site, render, options);
    const summaries = new Map<string, string>();
    const records: SearchRecord[] = [];
    const context = {
      site,
      highlight,
      markdown: createMarkdown(site, highlight),
      sampleBudget: { left_characters: MAX_SAMPLE_CHARACTERS },
    };
    for (const page of makePages(context)) {
      yield [`${page.path}.html`, frame(page)];
      yield* markdownFile(page, options);
      summaries.set(page.path, page.summary);
      for (const record of page.records ?? []) records.push(record);
    }
    yield [MISSING_PAGE, frame(missingPage(site), base)];
    yield* consoleFiles(site);
    yield ['llms.txt', llmsText(site, summaries)];
    yield [PAGE_NAMES, printJson(pageNames(site))];
    yield ['openrpc.json', `${escapeJson(printExact(model.document, 2))}\n`];
    yield [SITE_CONFIG, printJson({ networks: site.networks, key: null })];
    yield [SEARCH_RECORDS, printJson(mostImportant(records))];
  }
  return {
    name: 'docs',
    language: null,
    summary: docsSummary,
    isFormatted: true,
    files,
    async render(model, options) {
      const rendered = new Map<string, string>();
      for await (const [path, text] of files(model, options)) rendered.set(path, text);
      return rendered;
    },
  };
}

function markdownFile(
  { path, title, summary, markdown }: Page,
  options: TargetOptions,
): readonly RenderedFile[] {
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

/** Leaves out search records beyond the limit: of parameters and fields first. */
function mostImportant(records: readonly SearchRecord[]): readonly SearchRecord[] {
  if (records.length <= MAX_RECORDS) return records;
  const isPart = ({ kind }: SearchRecord): boolean => kind === 'parameter' || kind === 'field';
  const whole = records.filter((each) => !isPart(each));
  return [...whole, ...records.filter(isPart)].slice(0, MAX_RECORDS);
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
