import { descriptionLine, inlineMarkdown, linkText } from '../../../common/escape/markdown.ts';
import type { MethodModel } from '../../model/model.ts';
import { factsOfMethod } from './pages/method-facts.ts';
import type { Site } from './site.ts';

interface MethodGroup {
  readonly title: string;
  readonly summary: string;
  readonly methods: readonly MethodModel[];
}

/** Groups the methods by their first tag, in the document's order. */
export function methodGroups({ model }: Site): readonly MethodGroup[] {
  const titleOf = ({ tags: [tag] }: MethodModel) => capitalize(tag?.name || 'Methods');
  return [...Map.groupBy(model.methods, titleOf)].map(([title, methods]) => {
    const [tag] = methods[0]!.tags;
    return { title, summary: tag?.description || tag?.summary || '', methods };
  });
}

/** A section of the menu. */
export interface NavigationSection {
  readonly title: string;
  readonly isCode: boolean;
  /** Whether even a long menu opens it on every page. */
  readonly isFixed: boolean;
  readonly links: readonly NavigationLink[];
}

export interface NavigationLink {
  readonly title: string;
  /** Relative to the site, without extension. */
  readonly path: string;
  readonly isDeprecated: boolean;
}

/** Returns the menu of the site. */
export function navigationOf(site: Site): readonly NavigationSection[] {
  const { schemas, errors } = site.model;
  const sections = Map.groupBy(site.guides, ({ section }) => section);
  const [start, ...others] = [...sections].map(([title, guides]) => ({
    title,
    isCode: false,
    isFixed: false,
    links: guides.map(({ title, path }) => link(title, path)),
  }));
  const methods = methodGroups(site).map(({ title, methods }) => ({
    title,
    isCode: true,
    isFixed: false,
    links: methods.map((method) => ({
      title: method.name,
      path: site.methodPath(method.name),
      isDeprecated: factsOfMethod(method).isDeprecated,
    })),
  }));
  const reference = [
    ...(schemas.size > 0 ? [link('Types', 'types/index')] : []),
    ...(errors.length > 0 ? [link('Errors', 'errors')] : []),
    ...(site.hasCredits ? [link('Credits and plans', 'credits')] : []),
    ...(site.networks.length > 0 ? [link('Networks', 'networks')] : []),
    ...(site.hasServiceMethods ? [link('Service methods', 'service-methods')] : []),
    ...(site.hasDecisions ? [link('Decisions', 'decisions')] : []),
  ];
  const isGuide = start?.title === 'Guides';
  return [
    {
      title: isGuide ? 'Guides' : 'Start',
      isCode: false,
      isFixed: true,
      links: [link('Overview', 'index'), ...(isGuide ? start.links : [])],
    },
    ...methods,
    { title: 'Reference', isCode: false, isFixed: true, links: reference },
    ...(start === undefined || isGuide ? [] : [start]),
    ...others,
  ].filter(({ links }) => links.length > 0);
}

function link(title: string, path: string): NavigationLink {
  return { title, path, isDeprecated: false };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the title and path of every page in the menu, among which the browser finds similar names. */
export function pageNames(site: Site): readonly (readonly [title: string, path: string])[] {
  return navigationOf(site).flatMap(({ links }) => links.map(({ title, path }) => [title, path]));
}

/** Renders llms.txt (llmstxt.org): links to the Markdown version of each page. */
export function llmsText(site: Site, summaries: ReadonlyMap<string, string>): string {
  const { title } = site;
  const { version, description } = site.model.info;
  const sections = navigationOf(site).map((section) => {
    const links = section.links.map(({ title, path }) => {
      const summary = inlineMarkdown(summaries.get(path) ?? '');
      return `- [${linkText(title)}](${path}.md)${summary === '' ? '' : `: ${summary}`}`;
    });
    return `## ${inlineMarkdown(section.title)}\n\n${links.join('\n')}`;
  });
  return [
    `# ${inlineMarkdown(`${title} ${version}`)}`,
    `> ${descriptionLine(description.split('\n\n')[0] ?? '') || inlineMarkdown(title)}`,
    'The OpenRPC document: [openrpc.json](openrpc.json).',
    ...sections,
    '',
  ].join('\n\n');
}
