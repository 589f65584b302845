import { bannerText } from '../banner.ts';
import type { TargetOptions } from '../target.ts';
import { navigationOf, type NavigationSection } from './navigation.ts';
import { breakableName, escapeHtml } from './html.ts';
import type { Page } from './page.ts';
import { contentSecurityPolicy } from './policy.ts';
import { rootFrom, type Site } from './site.ts';
import { fragmentOf } from './ids.ts';
import type { Render } from './templates.ts';

/** Puts the content of a page into the frame: head, header, navigation, contents. */
export function createFrame(site: Site, render: Render, options: TargetOptions) {
  const sections = navigationOf(site);
  const { title, version } = site.model.info;
  const order = sections.flatMap(({ links }) => links);
  return (page: Page): string => {
    const root = rootFrom(page.path);
    const place = order.findIndex(({ path }) => path === page.path);
    const neighbour = (step: number) => {
      const found = place < 0 ? undefined : order[place + step];
      return found === undefined ? null : { title: found.title, href: `${root}${found.path}.html` };
    };
    const headings = page.headings.filter(({ level }) => level <= 3);
    return render('page', {
      banner: bannerText(options),
      policy: contentSecurityPolicy,
      root,
      path: page.path,
      template: page.template,
      siteTitle: title,
      version,
      title: page.path === 'index' ? title : `${page.title} · ${title}`,
      summary: page.summary,
      markdownHref: `${root}${page.path}.md`,
      sections: sections.map((section) => viewSection(section, page.path, root)),
      content: render(page.template, { root, ...page.view }),
      headings: headings.map(({ text, level, id }) => ({ text, level, href: fragmentOf(id) })),
      hasHeadings: headings.length > 1,
      previous: neighbour(-1),
      next: neighbour(1),
    });
  };
}

function viewSection({ title, isCode, links }: NavigationSection, current: string, root: string) {
  return {
    title,
    isCode,
    links: links.map(({ title, path, isDeprecated }) => ({
      title: isCode ? breakableName(title) : escapeHtml(title),
      href: `${root}${path}.html`,
      isCurrent: path === current || (path === 'types/index' && current.startsWith('types/')),
      isDeprecated,
    })),
  };
}
