import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { startScripts, weighPages } from '../../bench/docs/page-weight.ts';
import { bundleBrowser, bundleValidators, minifyStyles } from '../../bin/docs/bundle.ts';
import { modelAt, ownGuides, renderSite } from '../generator/targets/docs/support.ts';

const KB = 1024;

const model = await modelAt('openrpc.json');
const pages = await renderSite(model, ownGuides);
const scripts = await bundleBrowser();

test('no page weighs more than 60 KB before it is used, its scripts no more than 20 KB', async () => {
  const files = new Map<string, Uint8Array>(scripts);
  for (const [path, text] of pages) files.set(path, Buffer.from(text));
  files.set('assets/site.css', Buffer.from(await minifyStyles(pages.get('assets/site.css')!)));
  const [heaviest] = weighPages(files);
  expect(heaviest!.total_bytes, heaviest!.path).toBeLessThanOrEqual(60 * KB);
  expect(heaviest!.js_bytes).toBeGreaterThan(KB);
  expect(heaviest!.js_bytes).toBeLessThanOrEqual(20 * KB);
  expect(heaviest!.css_bytes).toBeGreaterThan(KB);
});

test('what is needed only when it is used is in files of its own', async () => {
  const atOnce = startScripts(scripts);
  expect(atOnce).toEqual(['assets/theme.js', 'assets/site.js']);
  expect([...scripts.keys()].toSorted()).toEqual(
    [...atOnce, 'assets/console.js', 'assets/dialog.js'].toSorted(),
  );
});

test('no script imports a file: what failed to load as an import cannot be loaded again', async () => {
  const validators = await bundleValidators(pages);
  const paths = [...validators.keys()].filter((path) => path.endsWith('.js'));
  expect(paths).toEqual(['data/validators.js']);
  const texts = [...scripts.values()].map((bytes) => Buffer.from(bytes).toString());
  for (const text of [...texts, validators.get('data/validators.js')!]) {
    const { errors, metafile } = await build({
      stdin: { contents: text },
      bundle: true,
      write: false,
      metafile: true,
      external: ['*'],
    });
    expect(errors).toEqual([]);
    expect(Object.values(metafile.inputs).flatMap(({ imports }) => imports)).toEqual([]);
  }
});
