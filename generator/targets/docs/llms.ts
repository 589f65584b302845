import { inlineMarkdown, linkText } from '../../../common/escape/markdown.ts';
import { onOneLine } from '../../../common/escape/text.ts';
import { navigationOf } from './navigation.ts';
import type { Page } from './page.ts';
import type { Site } from './site.ts';

/** llms.txt (llmstxt.org): what the site holds, as links to the Markdown twins of its pages. */
export function llmsText(site: Site, pages: readonly Page[]): string {
  const { title } = site;
  const { version, description } = site.model.info;
  const summaries = new Map(pages.map(({ path, summary }) => [path, summary]));
  const sections = navigationOf(site).map((section) => {
    const links = section.links.map(({ title, path }) => {
      const summary = onOneLine(summaries.get(path) ?? '');
      return `- [${linkText(title)}](${path}.md)${summary === '' ? '' : `: ${summary}`}`;
    });
    return `## ${inlineMarkdown(section.title)}\n\n${links.join('\n')}`;
  });
  return [
    `# ${inlineMarkdown(`${title} ${version}`)}`,
    `> ${onOneLine(description.split('\n\n')[0] ?? '') || onOneLine(title)}`,
    'The whole interface as an OpenRPC document: [openrpc.json](openrpc.json).',
    ...sections,
    '',
  ].join('\n\n');
}
