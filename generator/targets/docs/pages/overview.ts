import { inlineMarkdown, linkText } from '../../../../common/escape/markdown.ts';
import { onOneLine } from '../../../../common/escape/text.ts';
import type { JsonObject } from '../../../../common/json/value.ts';
import { textAt } from '../../../model/member.ts';
import { safeUrl } from '../html.ts';
import { methodGroups } from '../navigation.ts';
import { createPageTools, type Page, type RenderContext } from '../page.ts';
import type { Site } from '../site.ts';
import { safeMarkdown } from '../text/safe-markdown.ts';
import { factsOfMethod } from './method-facts.ts';

/** Renders the first page: description, guides and methods. */
export function overviewPage(context: RenderContext): Page {
  const { site } = context;
  const { version, description, license, contact } = site.model.info;
  const tools = createPageTools(context, 'index');
  const { html, headings } = tools.text(description);
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
  const lists = groups.map(({ title, methods }) => {
    const links = methods.map(({ name, href, text }) => {
      return `- [${linkText(name)}](${href.replace(/html$/, 'md')}): ${inlineMarkdown(text)}`;
    });
    return `## ${inlineMarkdown(title)}\n\n${links.join('\n')}`;
  });
  return {
    path: 'index',
    title: site.title,
    summary: onOneLine(description.split('\n\n')[0] ?? ''),
    template: 'overview',
    view: {
      title: site.title,
      version,
      description: html,
      starts,
      hasStarts: starts.length > 0,
      groups,
      hasCredits: site.hasCredits,
      license: license && linkOf(license),
      contact: contact && linkOf(contact),
    },
    markdown: [safeMarkdown(description), ...lists].join('\n\n'),
    headings,
  };
}

function linkOf(object: JsonObject) {
  const url = safeUrl(object['url']) ?? '';
  return { text: textAt(object, 'name') || url, url };
}

/** Maximum number of methods listed; readers find the others in the menu. */
const MAX_METHODS = 60;

/**
 * Renders the page for missing files. It is shown at any path, so its links are relative to the root of
 * the host.
 */
export function missingPage(site: Site): Page {
  const methods = methodGroups(site)
    .flatMap((group) => group.methods)
    .slice(0, MAX_METHODS)
    .map(({ name }) => ({ name, path: site.methodPath(name) }));
  return {
    path: '404',
    title: 'Page not found',
    summary: 'The URL may be mistyped, or the page has moved.',
    template: 'missing',
    view: { methods },
    markdown: null,
  };
}
