import { bannerText } from '../banner.ts';
import type { TargetOptions } from '../target.ts';
import { navigationOf, type NavigationSection } from './navigation.ts';
import { breakableName, escapeHtml, type Html } from './html.ts';
import type { Page } from './page.ts';
import { contentSecurityPolicy } from './policy.ts';
import { rootFrom, type Site } from './site.ts';
import { fragmentOf } from './ids.ts';
import type { Render } from './templates.ts';

/** Puts the content of a page into the frame: head, header, navigation, contents. */
export function createFrame(site: Site, render: Render, options: TargetOptions) {
  const sections = navigationOf(site);
  const { title } = site;
  const { version } = site.model.info;
  const order = sections.flatMap(({ links }) => links);
  const menuOf = createMenu(sections, render);
  return (page: Page, root = rootFrom(page.path)): string => {
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
      markdownHref: page.markdown === null ? null : `${root}${page.path}.md`,
      menu: menuOf(page.path, root),
      content: render(page.template, { root, ...page.view }),
      headings: headings.map(({ text, level, id }) => ({ text, level, href: fragmentOf(id) })),
      hasHeadings: headings.length > 1,
      previous: neighbour(-1),
      next: neighbour(1),
    });
  };
}

/** The menu of a page. It is the same on each page of a folder, but for the link to that page. */
function createMenu(sections: readonly NavigationSection[], render: Render) {
  const menus = new Map<string, string>();
  return (path: string, root: string): string => {
    const menu = menus.get(root) ?? render('menu', { sections: viewSections(sections, root) });
    menus.set(root, menu);
    const current = path.startsWith('types/') ? 'types/index' : path;
    const link = `<a href="${hrefOf(root, current)}"`;
    return menu.replace(link, () => `${link} aria-current="page"`);
  };
}

function viewSections(sections: readonly NavigationSection[], root: string) {
  return sections.map(({ title, isCode, links }) => ({
    title,
    isCode,
    links: links.map(({ title, path, isDeprecated }) => ({
      title: isCode ? breakableName(title) : escapeHtml(title),
      href: hrefOf(root, path),
      isDeprecated,
    })),
  }));
}

function hrefOf(root: string, path: string): Html {
  return escapeHtml(`${root}${path}.html`);
}
