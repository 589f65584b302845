import { inlineMarkdown, linkText } from '../../../../common/escape/markdown.ts';
import { onOneLine } from '../../../../common/escape/text.ts';
import { textAt } from '../../../model/member.ts';
import { safeUrl } from '../html.ts';
import { methodGroups } from '../navigation.ts';
import { type Page, createPageTools, type RenderContext } from '../page.ts';
import type { Site } from '../site.ts';
import { safeMarkdown } from '../text/safe-markdown.ts';
import { factsOfMethod } from './method-facts.ts';

/** Renders the first page: description, guides and methods. */
export function overviewPage(context: RenderContext): Page {
  const { site } = context;
  const { info, license, contact } = { ...site.model, ...site.model.info };
  const tools = createPageTools(context, 'index');
  const { html, headings } = tools.text(info.description);
  const groups = methodGroups(site).map(({ title, summary, methods }) => ({
    title,
    summary,
    id: tools.ids(title.toLowerCase()),
    methods: methods.map((method) => ({
      name: method.name,
      href: `${site.methodPath(method.name)}.html`,
      summary: tools.inline(method.summary),
      text: onOneLine(method.summary),
      ...factsOfMethod(method),
    })),
  }));
  const starts = site.guides
    .filter(({ section }) => section === 'Guides')
    .map(({ title, summary, path }) => ({ title, summary, href: `${path}.html` }));
  return {
    path: 'index',
    title: site.title,
    summary: onOneLine(info.description.split('\n\n')[0] ?? ''),
    template: 'overview',
    view: {
      title: site.title,
      version: info.version,
      description: html,
      starts,
      hasStarts: starts.length > 0,
      groups,
      hasCredits: site.hasCredits,
      license: license === null ? null : linkOf(textAt(license, 'name'), license['url']),
      contact: contact === null ? null : linkOf(textAt(contact, 'name'), contact['url']),
    },
    markdown: [
      safeMarkdown(info.description),
      ...groups.map(({ title, methods }) =>
        [
          `## ${inlineMarkdown(title)}`,
          methods
            .map(
              ({ name, href, text }) =>
                `- [${linkText(name)}](${href.replace(/html$/, 'md')}): ${inlineMarkdown(text)}`,
            )
            .join('\n'),
        ].join('\n\n'),
      ),
    ].join('\n\n'),
    headings,
  };
}

function linkOf(text: string, address: unknown) {
  const url = safeUrl(address);
  return { text: text || url || '', url: url ?? '' };
}

/** Readers find further methods in the menu. */
const MAX_METHODS = 60;

/**
 * Renders the page for missing files. It is shown at any path, so its links are relative to the root of
 * the host.
 */
export function missingPage(site: Site): Page {
  const methods = methodGroups(site).flatMap((group) => group.methods);
  return {
    path: '404',
    title: 'Page not found',
    summary: 'The URL may be mistyped, or the page has moved.',
    template: 'missing',
    view: {
      methods: methods
        .slice(0, MAX_METHODS)
        .map(({ name }) => ({ name, path: site.methodPath(name) })),
    },
    markdown: null,
  };
}
