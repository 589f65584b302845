import { inlineMarkdown } from '../../../../common/escape/markdown.ts';
import { onOneLine } from '../../../../common/escape/text.ts';
import { isObject, type Json } from '../../../../common/json/value.ts';
import { textAt } from '../../../model/member.ts';
import type { Page } from '../page.ts';
import { createPageTools, type Workshop } from '../page-tools.ts';
import { fragmentOf } from '../ids.ts';

/** What the interface left open, and how it was decided (`x-decisions`). */
export function decisionsPage(workshop: Workshop): Page {
  const { site } = workshop;
  const tools = createPageTools(workshop, 'decisions');
  const listed = site.model.extensions['x-decisions'];
  const rows: readonly Json[] = Array.isArray(listed) ? listed : [];
  const decisions = rows.filter(isObject).map((row) => {
    const { methods } = row;
    const name = textAt(row, 'id');
    const id = tools.ids(name);
    return {
      id,
      href: fragmentOf(id),
      name,
      question: textAt(row, 'question'),
      decision: textAt(row, 'decision'),
      questionHtml: tools.inline(textAt(row, 'question')),
      decisionHtml: tools.html(textAt(row, 'decision')),
      methods: (Array.isArray(methods) ? methods.map(String) : []).flatMap((method) => {
        const href = site.findMethod(method);
        return href === null ? [] : [{ name: method, href }];
      }),
    };
  });
  return {
    path: 'decisions',
    title: 'Decisions',
    summary: 'What the interface leaves open, and how it was decided.',
    template: 'decisions',
    view: { decisions },
    markdown: decisions
      .map(
        ({ name, question, decision }) =>
          `## ${inlineMarkdown(`${name}: ${question}`)}\n\n${decision}`,
      )
      .join('\n\n'),
    headings: [],
    records: decisions.map(({ href, name, question, decision }) => ({
      url: `decisions.html${href}`,
      title: `${name}: ${onOneLine(question)}`,
      kind: 'guide',
      context: 'Decisions',
      text: decision,
    })),
  };
}
