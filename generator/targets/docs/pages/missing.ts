import { methodGroups } from '../navigation.ts';
import type { Page } from '../page.ts';
import type { Site } from '../site.ts';

/** More methods are found by the menu and the search. */
const MAX_METHODS = 60;

/**
 * The page for an address that has none, as servers of files know it by its name. It is shown in the
 * place of any page, however deep: its links do not begin where it is.
 */
export function missingPage(site: Site): Page {
  const methods = methodGroups(site).flatMap((group) => group.methods);
  return {
    path: '404',
    title: 'There is no page here',
    summary: 'The address may be mistyped, or the page has moved.',
    template: 'missing',
    view: {
      methods: methods
        .slice(0, MAX_METHODS)
        .map(({ name }) => ({ name, path: site.methodPath(name) })),
    },
    markdown: null,
    headings: [],
    records: [],
  };
}
