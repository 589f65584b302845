import { expect, test } from 'vitest';
import { modelOf } from '../../support/document.ts';
import { hostileDocument } from './hostile-document.ts';
import { attributesIn, pagesOf, renderSite, unsafeMarkup } from './support.ts';

const site = await renderSite(await modelOf(hostileDocument));

test('no text of a document becomes an element, a handler, a script or a link that runs', async () => {
  const pages = pagesOf(site);
  expect(pages.length).toBeGreaterThan(6);
  for (const { path, html } of pages) expect(unsafeMarkup(html), path).toEqual([]);
});

test('no name of a document writes a file outside of the site, or over another', async () => {
  for (const path of site.keys()) {
    expect(path).toMatch(/^[A-Za-z0-9_~.-]+(?:\/[A-Za-z0-9_~.-]+)*$/);
    expect(path.split('/')).not.toContain('..');
  }
  expect(site.get('index.html')).toContain('page-overview');
  expect(site.get('methods/index.html')).toContain('page-method');
});

test('names that differ only in case, or are very long, have their own files', async () => {
  const long = 'a'.repeat(300);
  const names = ['getTree', 'gettree', 'GetTree', long, `${long}b`, 'über', 'ü', '.', '..'];
  const site = await renderSite(
    await modelOf({
      openrpc: '1.3.2',
      info: { title: 'T', version: '1.0.0' },
      methods: names.map((name) => ({ name, params: [], result: { name: 'r', schema: true } })),
    }),
  );
  const files = [...site.keys()].filter((path) => /^methods\/.*\.html$/.test(path));
  expect(new Set(files.map((path) => path.toLowerCase())).size).toBe(names.length);
  for (const file of files) expect(file.length).toBeLessThan(120);
  for (const file of files) expect(file).not.toMatch(/\/\./);
});

test('the policy of every page forbids scripts and styles from elsewhere', async () => {
  for (const { path, html } of pagesOf(site)) {
    const policies = attributesIn(html, 'content');
    const policy = policies.find((text) => text.includes('default-src'));
    expect(policy, path).toContain("default-src 'none'");
    expect(policy, path).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(policy, path).toContain("style-src 'self'");
    expect(policy, path).not.toMatch(/unsafe-inline|'unsafe-eval'|data:|\*/);
    expect(html, path).not.toMatch(/<style|<script(?! (?:type="module" )?src=)/);
  }
});

test('hidden characters and those that change the direction of text are escapes in examples', async () => {
  const hidden = 'a\u202eb\u0085c\u200bd';
  const site = await renderSite(
    await modelOf({
      openrpc: '1.3.2',
      info: { title: 'T', version: '1.0.0' },
      methods: [
        {
          name: 'm',
          params: [{ name: 'p', schema: { type: 'string' } }],
          result: { name: 'r', schema: { type: 'string' } },
          errors: [{ code: 1, message: 'M', data: hidden }],
          examples: [
            {
              name: 'e',
              params: [{ name: 'p', value: hidden }],
              result: { name: 'r', value: hidden },
            },
          ],
        },
      ],
    }),
  );
  for (const file of ['methods/m.html', 'methods/m.md']) {
    const page = site.get(file);
    expect(page, file).toContain(String.raw`a\u202eb\u0085c\u200bd`);
    expect(page, file).not.toMatch(/[\u202e\u0085\u200b]/);
  }
});
