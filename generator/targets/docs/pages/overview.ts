import { inlineMarkdown, linkText } from '../../../../common/escape/markdown.ts';
import { onOneLine } from '../../../../common/escape/text.ts';
import type { Page } from '../page.ts';
import { createPageTools, type Workshop } from '../page-tools.ts';
import { methodGroups } from '../navigation.ts';
import { safeUrl } from '../html.ts';
import { factsOfMethod } from './method-facts.ts';
import { textAt } from '../../../model/member.ts';

/** The first page: what the service is, where to begin, and every method in one line. */
export function overviewPage(workshop: Workshop): Page {
  const { site } = workshop;
  const { info, license, contact } = { ...site.model, ...site.model.info };
  const tools = createPageTools(workshop, 'index');
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
      info.description,
      ...groups.map(({ title, methods }) =>
        [
          `## ${inlineMarkdown(title)}`,
          methods
            .map(
              ({ name, href, text }) =>
                `- [${linkText(name)}](${href.replace(/html$/, 'md')}): ${text}`,
            )
            .join('\n'),
        ].join('\n\n'),
      ),
    ].join('\n\n'),
    headings,
    records: [],
  };
}

function linkOf(text: string, address: unknown) {
  const url = safeUrl(address);
  return { text: text || url || '', url: url ?? '' };
}
