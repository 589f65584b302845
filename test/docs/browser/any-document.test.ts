import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelOf } from '../../generator/support/document.ts';
import { hardDocument } from '../../generator/support/hard-document.ts';
import { hostileDocument } from '../../generator/targets/docs/hostile-document.ts';
import { fixtures, modelAt } from '../../generator/targets/docs/support.ts';
import { startBrowser, type TestBrowser } from '../../support/browser.ts';
import { findBarriers } from './accessibility.ts';
import { openFolds, pagePaths, serveSiteOf, watch } from './site-server.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await startBrowser();
});

afterAll(() => browser.close());

test('a hostile document runs no script and makes no request', async () => {
  const site = await serveSiteOf(await modelOf(hostileDocument));
  const context = await browser.browser.newContext();
  try {
    const wrong = watch(context, site);
    const page = await context.newPage();
    for (const path of pagePaths(site)) {
      await page.goto(site.url + path);
      await openFolds(page);
      const scripts = await page.evaluate('[...document.scripts].map(({ src }) => src)');
      expect(scripts, path).toEqual([`${site.url}assets/theme.js`, `${site.url}assets/site.js`]);
      expect(await page.locator('img, iframe, object, embed, base, style').count(), path).toBe(0);
    }
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('script');
    await page.getByRole('option').first().waitFor();
    expect(await page.locator('[role=option] :is(script, img)').count()).toBe(0);
    expect(wrong).toEqual([]);
  } finally {
    await context.close();
    await site.close();
  }
});

/** Minutes: only in `npm run test:docs`. */
const isThorough = process.env['SPECGATE_DOCS'] === 'all';

const documents = [
  ['a hard document', () => modelOf(hardDocument)] as const,
  ...['node_modules/@metamask/api-specs/dist/build/openrpc.json', ...fixtures].map(
    (file) => [file, () => modelAt(file)] as const,
  ),
];

test.runIf(isThorough).each(documents)(
  'the site of %s has no barrier that axe-core knows, in light and dark, on a desktop and a phone',
  async (_name, load) => {
    const site = await serveSiteOf(await load());
    const context = await browser.browser.newContext();
    try {
      const wrong = watch(context, site);
      const page = await context.newPage();
      const found: string[] = [];
      for (const path of pagePaths(site)) {
        found.push(...(await findBarriers(page, site.url + path, { isThorough })));
      }
      expect(found).toEqual([]);
      expect(wrong).toEqual([]);
    } finally {
      await context.close();
      await site.close();
    }
  },
  1_200_000,
);
