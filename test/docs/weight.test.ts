import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startScripts, weighPages } from '../../bench/docs/page-weight.ts';
import { bundleBrowser, minifyStyles } from '../../bin/docs/bundle.ts';
import { modelAt, ownGuides, renderSite } from '../generator/targets/docs/support.ts';

const KB = 1024;

test('no page weighs more than 60 KB before it is used, its scripts no more than 20 KB', async () => {
  const pages = await renderSite(await modelAt('openrpc.json'), ownGuides);
  const files = new Map<string, Uint8Array>(await bundleBrowser());
  for (const [path, text] of pages) files.set(path, Buffer.from(text));
  files.set('assets/site.css', Buffer.from(await minifyStyles(pages.get('assets/site.css')!)));
  const [heaviest] = weighPages(files);
  expect(heaviest!.total_bytes, heaviest!.path).toBeLessThanOrEqual(60 * KB);
  expect(heaviest!.js_bytes).toBeGreaterThan(KB);
  expect(heaviest!.js_bytes).toBeLessThanOrEqual(20 * KB);
  expect(heaviest!.css_bytes).toBeGreaterThan(KB);
});

test('what is needed only when it is used is in files of its own', async () => {
  const files = await bundleBrowser();
  const atOnce = startScripts(files);
  const later = [...files.keys()].filter((path) => !atOnce.includes(path));
  expect(later.some((path) => /^assets\/dialog-[A-Z0-9]{8}\.js$/.test(path))).toBe(true);
  const all = atOnce.map((path) => gzipSync(files.get(path)!).length);
  expect(all.every((bytes) => bytes > 0)).toBe(true);
});
