import { beforeAll, describe, expect, test } from 'vitest';
import { printExact, printMember } from '../../../../common/json/exact.ts';
import { isObject, type Json, type Schema } from '../../../../common/json/value.ts';
import { createDocs, MISSING_PAGE } from '../../../../generator/targets/docs/target.ts';
import type { Model } from '../../../../generator/model/model.ts';
import { walkSchemas } from '../../../../generator/schema/subschemas.ts';
import type { Rendered } from '../../../../generator/targets/target.ts';
import { loadAssets, type GuideFolder } from '../../../../bin/docs/assets.ts';
import { atScale } from '../../../support/soak.ts';
import { hardDocument } from '../../support/hard-document.ts';
import { modelOf } from '../../support/document.ts';
import {
  attributesIn,
  fixtures,
  modelAt,
  ownGuides,
  pagesOf,
  renderSite,
  textOf,
} from './support.ts';

/** Added after the pages, by bin/docs. */
const ADDED = new Set(['assets/theme.js', 'assets/site.js']);

type Loaded = [name: string, load: () => Promise<Model>, guides: GuideFolder];

const documents: readonly Loaded[] = [
  ['our document', () => modelAt('openrpc.json'), ownGuides],
  [
    'the document of MetaMask',
    () => modelAt('node_modules/@metamask/api-specs/dist/build/openrpc.json'),
    {},
  ],
  ['a hard document', () => modelOf(hardDocument), {}],
  ...fixtures.map((file): Loaded => [file, () => modelAt(file), {}]),
];

describe.each(documents)('the site of %s', (name, load, guides) => {
  let model: Model;
  let site: Rendered;
  /** By method: its page. */
  let pages: ReadonlyMap<string, string>;

  beforeAll(async () => {
    model = await load();
    site = await renderSite(model, guides);
    pages = new Map(
      pagesOf(site).map(({ html }) => [/ data-method="([^"]*)"/.exec(html)?.[1] ?? '', html]),
    );
  });

  const pageOf = (name: string): string => {
    const page = [...pages].find(([method]) => textOf(method) === name);
    expect(page, name).toBeDefined();
    return page![1];
  };

  test('has a page for each method, with each parameter, error and example', () => {
    let counted = 0;
    for (const method of model.methods) {
      const html = pageOf(method.name);
      const text = withoutSpace(textOf(html));
      const fields = fieldNamesIn(html);
      for (const { name, schema } of method.params) {
        expect(fields, `${method.name} ${name}`).toContain(name);
        for (const field of fieldsAtTop(schema)) expect(fields).toContain(field);
        counted += 1;
      }
      for (const { code, message } of method.errors) {
        expect(text).toContain(withoutSpace(`${code}`));
        expect(text).toContain(withoutSpace(message));
        counted += 1;
      }
      for (const { name, params, result, extensions } of method.examples) {
        expect(text, `${method.name}: ${name}`).toContain(withoutSpace(name));
        const values: (Json | undefined)[] = params.map(({ value }) => value);
        const error = extensions['x-error'];
        values.push(error === undefined ? result?.value : error);
        for (const value of values.filter((each) => each !== undefined)) {
          expect(text, `${method.name}: ${name}`).toContain(withoutSpace(printExact(value)));
        }
        counted += 1;
      }
      for (const tag of method.tags) expect(text).toContain(withoutSpace(tag.name));
    }
    const expected = model.methods.flatMap(({ params, errors, examples }) => [
      ...params,
      ...errors,
      ...examples,
    ]);
    expect(counted).toBe(expected.length);
  });

  test('shows each field of each type and its allowed values', () => {
    const shown = new Set(pagesOf(site).flatMap(({ html }) => fieldNamesIn(html)));
    const texts = pagesOf(site).map(({ html }) => withoutSpace(textOf(html)));
    const missing: string[] = [];
    const roots = [
      ...model.schemas.values(),
      ...model.methods.flatMap(({ params, result }) => [
        ...params,
        ...(result === null ? [] : [result]),
      ]),
    ];
    for (const { name, schema } of roots) {
      for (const place of walkSchemas([{ schema, holder: [schema], key: 0, pointer: '' }])) {
        if (!isObject(place.schema)) continue;
        for (const field of fieldsAtTop(place.schema)) {
          if (!shown.has(field)) missing.push(`${name}${place.pointer}: ${field}`);
        }
        const choices = place.schema['enum'];
        for (const index of Array.isArray(choices) ? choices.keys() : []) {
          const value = withoutSpace(printMember(choices as object, index));
          if (!texts.some((text) => text.includes(value))) missing.push(`${name}: ${value}`);
        }
      }
    }
    expect(missing).toEqual([]);
  });

  test('lists each method, type and error on its pages and in their Markdown versions', () => {
    const listed = site.get('index.html')!;
    for (const { name } of model.methods) expect(textOf(listed)).toContain(name);
    const types = site.get('types/index.html');
    for (const name of model.schemas.keys()) expect(textOf(types!)).toContain(name);
    const errors = site.get('errors.html');
    for (const { code, message } of model.errors) {
      expect(textOf(errors!)).toContain(String(code));
      expect(textOf(errors!)).toContain(message);
      expect(site.get('errors.md')).toContain(String(code));
    }
    for (const { path } of pagesOf(site)) {
      expect(site.has(path.replace(/html$/, 'md')), path).toBe(path !== MISSING_PAGE);
    }
    const versions = [...site].filter(
      ([path]) => path.startsWith('methods/') && path.endsWith('.md'),
    );
    for (const { name, params } of model.methods) {
      const [, version] = versions.find(([, text]) => text.includes(`\n# ${name}\n`))!;
      for (const param of params) expect(version).toContain(param.name);
    }
    expect(site.get('llms.txt')).toContain(model.info.title);
  });

  test('has no broken link and no duplicate id', () => {
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

  test('is well-formed HTML', () => {
    for (const { path, html } of pagesOf(site)) expect(unbalancedIn(html), path).toEqual([]);
  });

  test('loads nothing from other hosts and works below any path', () => {
    const pages = pagesOf(site).filter(({ path }) => path !== MISSING_PAGE);
    for (const { path, html } of pages) {
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

  test('has a page for missing files, whose links work at any depth', () => {
    const html = site.get(MISSING_PAGE)!;
    const links = [...attributesIn(html, 'href'), ...attributesIn(html, 'src')];
    expect(links.filter((link) => !/^\/[^/]|^#/.test(link))).toEqual([]);
    expect(links).toContain('/assets/site.css');
    for (const { name } of model.methods.slice(0, 60)) expect(textOf(html)).toContain(name);
  });

  test.runIf(atScale(true, name === 'a hard document'))('is deterministic', async () => {
    expect(await renderSite(model, guides)).toEqual(site);
  });
});

test('the page for missing files has links relative to the base path', async () => {
  const docs = createDocs(await loadAssets(), { base: '/project/docs/' });
  const html = (await docs.render(await modelOf(hardDocument), { source: 'a.json' })).get(
    MISSING_PAGE,
  )!;
  const links = [...attributesIn(html, 'href'), ...attributesIn(html, 'src')];
  expect(links.filter((link) => !/^\/project\/docs\/[^/]|^#/.test(link))).toEqual([]);
});

test('an empty document has a page that says so, and no empty sections', async () => {
  const site = await renderSite(
    await modelOf({ openrpc: '1.3.2', info: { title: '', version: '' }, methods: [] }),
  );
  const html = site.get('index.html')!;
  expect(textOf(html)).toContain('This document describes no methods.');
  expect(textOf(html)).not.toMatch(/Version|Reference/);
  expect(html).not.toMatch(/class="version"|<ul>\s*<\/ul>/);
});

test('a document without extensions has no pages and badges for them', async () => {
  const site = await renderSite(await modelOf(hardDocument));
  for (const path of ['credits.html', 'decisions.html', 'networks.html', 'service-methods.html']) {
    expect(site.has(path)).toBe(false);
  }
  for (const { path, html } of pagesOf(site)) {
    expect(html, path).not.toMatch(/>undefined<|\[object Object\]/);
  }
  expect(site.get('index.html')).not.toContain('credits');
});

test('a method says when its result no longer changes', async () => {
  const method = { params: [], result: { name: 'r', schema: { type: 'object' } } };
  const model = await modelOf({
    ...hardDocument,
    methods: [
      { ...method, name: 'fixed', 'x-immutable': true },
      { ...method, name: 'mined', 'x-immutable': { block: { result: '/number' } } },
      { ...method, name: 'latest' },
    ],
  });
  const site = await renderSite(model);
  const textsOf = (name: string): string =>
    textOf(site.get(`methods/${name}.html`)!) + site.get(`methods/${name}.md`)!;
  expect(textsOf('fixed').match(/The result never changes\./g)).toHaveLength(2);
  expect(textsOf('mined').match(/no longer changes once its block is finalized\./g)).toHaveLength(
    2,
  );
  expect(textsOf('latest')).not.toMatch(/changes/);
});

function fieldNamesIn(html: string): readonly string[] {
  return [...html.matchAll(/<code class="field-name">([^<]*)<\/code>/g)].map(([, name]) =>
    textOf(name!),
  );
}

function fieldsAtTop(schema: Schema): readonly string[] {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) ? Object.keys(properties) : [];
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

/** Elements that have no end tag (HTML, section 13.1.2), and those of SVG that pages write so. */
const VOID = new Set(['br', 'hr', 'input', 'link', 'meta', 'wbr', 'path', 'circle', 'rect']);

/** Tags without their counterpart. Quotes and angle brackets in values are always escaped. */
function unbalancedIn(html: string): readonly string[] {
  const open: string[] = [];
  for (const [tag, slash, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:"[^"]*"|[^">])*>/g)) {
    if (VOID.has(name!)) continue;
    if (slash === '') open.push(name!);
    else if (open.pop() !== name) return [tag];
  }
  return open;
}
