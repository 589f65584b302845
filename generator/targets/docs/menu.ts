import { breakableName, escapeHtml } from './html.ts';
import type { NavigationLink, NavigationSection } from './navigation.ts';

/** A menu with more links opens only some of its sections, so that pages do not grow with the site. */
const MAX_LINKS = 300;

/** Longer sections of such a menu are divided. */
const MAX_SECTION_LINKS = 50;

/** Maximum number of closed sections of such a menu that a page links to. */
const MAX_CLOSED = 60;

interface MenuSection extends NavigationSection {
  /** Whether it is only a link to its first page. */
  readonly isClosed: boolean;
}

/**
 * Creates the menu of a page. A long menu opens the section of the page and those with fixed pages, such
 * as the overview, and links to the first page of the sections around it.
 */
export function createMenu(
  sections: readonly NavigationSection[],
  render: (template: string, view: object) => string,
) {
  const count = sections.reduce((sum, { links }) => sum + links.length, 0);
  const parts = count > MAX_LINKS ? sections.flatMap(divideSection) : sections;
  const owners = new Map(
    parts.flatMap(({ links }, index) => links.map(({ path }) => [path, index] as const)),
  );
  // Pages of one section and folder follow each other and differ only in the link that is marked.
  const last = new Map<string, { readonly own: number; readonly menu: string }>();
  return (page: string, root: string): string => {
    const path = page.startsWith('types/') ? 'types/index' : page;
    const own = owners.get(path) ?? 0;
    const found = last.get(root);
    const shown = count > MAX_LINKS ? sectionsAround(own, parts) : parts;
    const isSame = found !== undefined && (count <= MAX_LINKS || found.own === own);
    const menu = isSame ? found.menu : render('menu', { sections: shown.map(viewIn(root)) });
    last.set(root, { own, menu });
    const link = `<a href="${hrefOf(path, root)}"`;
    return menu.replace(link, () => `${link} aria-current="page"`);
  };
}

function divideSection(section: NavigationSection): readonly NavigationSection[] {
  const { title, links } = section;
  const count = Math.ceil(links.length / MAX_SECTION_LINKS);
  if (count === 1) return [section];
  return Array.from({ length: count }, (_, index) => ({
    ...section,
    isFixed: section.isFixed && index === 0,
    title: `${title} (${index + 1} of ${count})`,
    links: links.slice(index * MAX_SECTION_LINKS, (index + 1) * MAX_SECTION_LINKS),
  }));
}

function sectionsAround(own: number, parts: readonly NavigationSection[]): readonly MenuSection[] {
  const start = own - (own % MAX_CLOSED);
  return parts.flatMap((part, index) => {
    const isClosed = index !== own && !part.isFixed;
    const isFar = index < start || index >= start + MAX_CLOSED;
    return isClosed && isFar ? [] : [{ ...part, isClosed }];
  });
}

function viewIn(root: string) {
  return (section: NavigationSection & { readonly isClosed?: boolean }) => {
    const { title, isCode, links, isClosed = false } = section;
    const viewLink = ({ title, path, isDeprecated }: NavigationLink) => ({
      title: isCode ? breakableName(title) : escapeHtml(title),
      href: hrefOf(path, root),
      isDeprecated,
    });
    return {
      title,
      isCode,
      closedHref: isClosed ? hrefOf(links[0]!.path, root) : '',
      links: isClosed ? [] : links.map(viewLink),
    };
  };
}

function hrefOf(path: string, root: string): string {
  return escapeHtml(`${root}${path}.html`);
}
