import { beforeAll, describe, expect, test } from 'vitest';
import { linkedDocument } from '../../../../bench/docs/linked-document.ts';
import type { Rendered } from '../../../../generator/targets/target.ts';
import { atScale } from '../../../support/soak.ts';
import { documentOf, methodOf, modelOf, type Document } from '../../support/document.ts';
import { attributesIn, pagesOf, renderSite } from './support.ts';

const METHODS = atScale(160, 50);
const KB = 1024;

async function siteOf(document: object): Promise<Rendered> {
  return renderSite(await modelOf(document as Document));
}

const linked = (methods: number): object => JSON.parse(linkedDocument(methods)) as object;

/** Characters of all files whose path matches. */
function sizeOf(site: Rendered, path: RegExp): number {
  const texts = [...site].filter(([each]) => path.test(each));
  return texts.reduce((sum, [, text]) => sum + text.length, 0);
}

/** The most that a site may grow by when its document is twice as large. */
const LINEAR = 2.2;

describe('a site of methods whose schemas reach each other', () => {
  let half: Rendered;
  let site: Rendered;

  beforeAll(async () => {
    half = await siteOf(linked(METHODS));
    site = await siteOf(linked(2 * METHODS));
  });

  test.each([
    ['pages of methods', /^methods\/.*\.html$/],
    ['pages of types', /^types\/.*\.html$/],
    ['Markdown versions', /\.md$/],
    ['data of the console', /^(?:methods|data)\/.*\.json$/],
    ['search records', /^data\/search\.json$/],
    ['all files', /^/],
  ])('grows with the document: %s', (_name, path) => {
    expect(sizeOf(half, path)).toBeGreaterThan(0);
    expect(sizeOf(site, path)).toBeLessThan(LINEAR * sizeOf(half, path));
  });

  test('names every method in some menu, and marks the page of each menu', () => {
    const menus = pagesOf(site)
      .filter(({ path }) => /^(?:methods\/|index)/.test(path))
      .map(({ path, html }) => ({ path, menu: /<nav class="menu"[^]*?<\/nav>/.exec(html)![0] }));
    for (const { path, menu } of menus) {
      expect(menu.match(/aria-current="page"/g), path).toHaveLength(1);
      expect(attributesIn(menu, 'href').length, path).toBeLessThan(150);
    }
    const byPath = new Map(menus.map(({ path, menu }) => [path, menu]));
    const reached = new Set(['index.html']);
    for (const path of reached) {
      for (const href of attributesIn(byPath.get(path) ?? '', 'href')) {
        reached.add(new URL(href, `https://x.invalid/${path}`).pathname.slice(1));
      }
    }
    expect(menus.filter(({ path }) => !reached.has(path))).toEqual([]);
  });

  test('holds each component schema once for the console, and names the files a method needs', () => {
    const files = [...site].filter(([path]) => path.startsWith('data/schemas-'));
    expect(files.length).toBeGreaterThan(1);
    const names = files.flatMap(([, text]) => Object.keys(JSON.parse(text) as object));
    expect(names.length).toBe(2 * 2 * METHODS + 2);
    expect(new Set(names).size).toBe(names.length);
    const data = JSON.parse(site.get('methods/area0_getResource7.json')!) as {
      schemas: readonly string[];
    };
    const found = data.schemas.flatMap((path) =>
      Object.keys(JSON.parse(site.get(path)!) as object),
    );
    expect(found).toEqual(expect.arrayContaining(['Filter7', 'Hash', 'Quantity']));
  });
});

test('a menu of one section with many methods stays short', async () => {
  const methods = Array.from({ length: 400 }, (_, index) => methodOf(`m${index}`, true));
  const site = await siteOf(documentOf(methods));
  for (const path of ['methods/m0.html', 'methods/m199.html', 'methods/m399.html']) {
    expect(attributesIn(site.get(path)!, 'href').length).toBeLessThan(120);
  }
});

test('a union of many schemas is unfolded on its own page only', async () => {
  const count = 400;
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const types = Array.from({ length: count }, (_, index) => `Variant${index}`);
  const schemas = Object.fromEntries([
    ...types.map((name) => [name, { title: name, type: 'object', properties: { [name]: {} } }]),
    ['Any', { oneOf: types.map(ref) }],
  ]);
  const methods = Array.from({ length: 4 }, (_, index) => methodOf(`m${index}`, ref('Any')));
  const site = await siteOf(documentOf(methods, { components: { schemas } }));
  expect(site.get('types/Any.html')).toContain(`Variant${count - 1}`);
  expect(site.get('methods/m1.html')!.length).toBeLessThan(40 * KB);
  expect(site.get('methods/m1.html')).toContain('types/Any.html');
});
