import { navigationOf } from './navigation.ts';
import type { Page } from './page.ts';
import { oneLine } from './schema/markdown.ts';
import type { Site } from './site.ts';

/** llms.txt (llmstxt.org): what the site holds, as links to the Markdown twins of its pages. */
export function llmsText(site: Site, pages: readonly Page[]): string {
  const { title } = site;
  const { version, description } = site.model.info;
  const summaries = new Map(pages.map(({ path, summary }) => [path, summary]));
  const sections = navigationOf(site).map((section) => {
    const links = section.links.map(({ title, path }) => {
      const summary = oneLine(summaries.get(path) ?? '');
      return `- [${title}](${path}.md)${summary === '' ? '' : `: ${summary}`}`;
    });
    return `## ${section.title}\n\n${links.join('\n')}`;
  });
  return [
    `# ${title} ${version}`,
    `> ${oneLine(description.split('\n\n')[0] ?? '') || title}`,
    'The whole interface as an OpenRPC document: [openrpc.json](openrpc.json).',
    ...sections,
    '',
  ].join('\n\n');
}
