import type { Guide } from '../guides.ts';
import { fragmentOf } from '../html.ts';
import { createPageTools, type Page, type RenderContext, type SearchRecord } from '../page.ts';
import { plainLine } from '../schema/text.ts';

/** Renders a hand-written page. */
export function guidePage(guide: Guide, context: RenderContext): Page {
  const { path, title, summary, section, body } = guide;
  const tools = createPageTools(context, path);
  const { html, headings } = tools.text(body);
  const url = `${path}.html`;
  const [intro = ''] = body.split(HEADING);
  const records = sectionsOf(body).flatMap((text, index): SearchRecord[] => {
    const place = headings[index];
    if (place === undefined) return [];
    const [heading = '', ...lines] = text.split('\n');
    return [
      {
        url: url + fragmentOf(place.id),
        title: heading.replaceAll('`', '').trim(),
        kind: 'guide',
        context: title,
        text: plainLine(lines.join('\n')),
      },
    ];
  });
  const text = plainLine(`${summary} ${intro}`);
  return {
    path,
    title,
    summary,
    template: 'guide',
    view: { title, summary: tools.inline(summary), section, html },
    markdown: body,
    headings,
    records: [{ url, title, kind: 'guide', context: section, text }, ...records],
  };
}

/** The start of a heading. */
const HEADING = /^#{1,6} /m;

/**
 * Splits a text at its headings; each section starts with the text of its heading. Lines of code that
 * look like headings are ignored.
 */
function sectionsOf(body: string): readonly string[] {
  const withoutCode = body.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, (code) =>
    code.replaceAll(/^#/gm, ' #'),
  );
  return withoutCode.split(HEADING).slice(1);
}
