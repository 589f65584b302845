import { describe, expect, test } from 'vitest';
import type { Rendered } from '../../../../generator/targets/target.ts';
import { hardDocument } from '../../support/hard-document.ts';
import { modelOf } from '../../support/document.ts';
import { attributesIn, modelAt, ownGuides, pagesOf, renderSite } from './support.ts';

/** Added after the pages, by bin/docs. */
const ADDED = new Set(['assets/theme.js', 'assets/site.js']);

const sites: readonly [name: string, render: () => Promise<Rendered>][] = [
  ['our document', async () => renderSite(await modelAt('openrpc.json'), ownGuides)],
  [
    'the document of MetaMask',
    async () =>
      renderSite(
        await modelAt('node_modules/@metamask/api-specs/dist/build/multichain-openrpc.json'),
      ),
  ],
  ['a hard document', async () => renderSite(await modelOf(hardDocument))],
];

describe.each(sites)('the site of %s', (_name, render) => {
  test('has no link that leads nowhere, and no id twice', async () => {
    const site = await render();
    const ids = new Map(pagesOf(site).map(({ path, html }) => [path, attributesIn(html, 'id')]));
    for (const [path, found] of ids) {
      expect(
        found.filter((id, index) => found.indexOf(id) !== index),
        path,
      ).toEqual([]);
    }
    const broken = pagesOf(site).flatMap(({ path, html }) =>
      [...attributesIn(html, 'href'), ...attributesIn(html, 'src')]
        .filter((link) => !/^(?:https?|mailto):/.test(link))
        .filter((link) => {
          const [target = '', fragment] = link.split('#');
          const page =
            target === '' ? path : new URL(target, `https://x.invalid/${path}`).pathname.slice(1);
          if (!site.has(decodeURIComponent(page)) && !ADDED.has(page)) return true;
          if (fragment === undefined) return false;
          return ids.get(decodeURIComponent(page))?.includes(decodeURIComponent(fragment)) !== true;
        })
        .map((link) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test('loads nothing from elsewhere and works below any path', async () => {
    for (const { path, html } of pagesOf(await render())) {
      const loaded = [...attributesIn(html, 'src'), ...attributesIn(html, 'data-source')];
      expect(
        loaded.filter((url) => /^(?:[a-z]+:|\/)/i.test(url)),
        path,
      ).toEqual([]);
      expect(
        attributesIn(html, 'href').filter((url) => url.startsWith('/')),
        path,
      ).toEqual([]);
    }
  });
});
