import type { Guide } from '../guides.ts';
import { fragmentOf } from '../html.ts';
import { type Page, type SearchRecord, createPageTools, type RenderContext } from '../page.ts';
import { plainLine } from '../schema/text.ts';

/** Renders a hand-written page. */
export function guidePage(guide: Guide, context: RenderContext): Page {
  const tools = createPageTools(context, guide.path);
  const { html, headings } = tools.text(guide.body);
  const { title, summary, section } = guide;
  const page = `${guide.path}.html`;
  return {
    path: guide.path,
    title,
    summary,
    template: 'guide',
    view: { title, summary: tools.inline(summary), section, html },
    markdown: guide.body,
    headings,
    records: [
      {
        url: page,
        title,
        kind: 'guide',
        context: section,
        text: plainLine(`${summary} ${introOf(guide.body)}`),
      },
      ...sectionsOf(guide.body).flatMap(({ heading, text }, index): SearchRecord[] => {
        const place = headings[index];
        if (place === undefined) return [];
        return [
          {
            url: page + fragmentOf(place.id),
            title: heading,
            kind: 'guide',
            context: title,
            text: plainLine(text),
          },
        ];
      }),
    ],
  };
}

function introOf(body: string): string {
  return body.split(/^#{1,6} /m)[0] ?? '';
}

/** Returns the text below each heading. Lines of code that look like headings are ignored. */
function sectionsOf(body: string): readonly { heading: string; text: string }[] {
  const withoutCode = body.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, (code) =>
    code.replaceAll(/^#/gm, ' #'),
  );
  return withoutCode
    .split(/^#{1,6} /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...text] = section.split('\n');
      return { heading: heading.replaceAll('`', '').trim(), text: text.join('\n') };
    });
}
