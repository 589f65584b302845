import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findBarriers, findViolations } from './accessibility.ts';
import { DESKTOP, PHONE, startReader } from './reader.ts';
import { openFolds, pagePaths, watch } from './site-server.ts';

/** A site works below any path of a file server. */
const BASE = '/deep/er/docs%20site/';

/** One page of each template; all pages in `npm run test:docs`. */
const SAMPLE = [
  'index.html',
  'guides/credits.html',
  'methods/eth_getProof.html',
  'types/index.html',
  'types/ProgramAccountFilter.html',
  'errors.html',
  'credits.html',
  'networks.html',
  'decisions.html',
  'service-methods.html',
];

/** The whole site takes minutes. */
const isThorough = process.env['SPECGATE_DOCS'] === 'all';

const reader = startReader(BASE);
const { inPage } = reader;

describe('a reader of a site below some path of a file server', () => {
  const barriersOf = (page: Page, path: string): Promise<readonly string[]> =>
    findBarriers(page, reader.site.url + path, { isThorough });

  test.each(SAMPLE)(
    'meets no barrier that axe-core finds on %s, in light and dark, on a desktop and a phone',
    async (path) => {
      await inPage({}, async (page) => expect(await barriersOf(page, path)).toEqual([]));
    },
  );

  test.runIf(isThorough)(
    'meets no barrier that axe-core finds on any page',
    async () => {
      await inPage({}, async (page) => {
        const found: string[] = [];
        for (const path of pagePaths(reader.site)) found.push(...(await barriersOf(page, path)));
        expect(found).toEqual([]);
      });
    },
    1_200_000,
  );

  test('finds the right page from a missing address at any depth', async () => {
    await inPage({}, async (page) => {
      await page.goto(`${reader.site.url}methods/deeper/eth_getprof.html`);
      expect(await findViolations(page)).toEqual([]);
      // The browser reports the missing page as an error.
      reader.wrong.splice(0);
      await page.getByText('Did you mean').getByRole('link', { name: 'eth_getProof' }).click();
      await page.waitForURL(/\/docs%20site\/methods\/eth_getProof\.html$/);
      await page.goBack();
      await page.getByRole('button', { name: 'Search for “eth_getprof”' }).click();
      await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('eth_getprof');
      reader.wrong.splice(0);
    });
  });

  test('finds a field by its name, by keyboard alone', async () => {
    await inPage({}, async (page) => {
      await page.goto(`${reader.site.url}networks.html`);
      // Readers type before the field is there.
      await page.keyboard.type('/effectiveGasPrice');
      const input = page.getByRole('combobox', { name: 'Search the documentation' });
      await expect.poll(() => input.inputValue()).toBe('effectiveGasPrice');
      const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
      await expect.poll(() => options.count()).toBeGreaterThan(0);
      expect(await findViolations(page)).toEqual([]);
      const [first = ''] = await options.allInnerTexts();
      expect(first).toContain('effectiveGasPrice');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.waitForURL(/effectiveGasPrice/);
      const target = page.locator(':target');
      await target.waitFor();
      expect(await target.innerText()).toContain('Actual value per gas');
    });
  });

  test('finds parameters, methods, errors and guides among the first results', async () => {
    await inPage({ viewport: PHONE }, async (page) => {
      await page.goto(`${reader.site.url}index.html`);
      await page.keyboard.press('Control+k');
      for (const term of ['memcmp', 'eth_getBlockReceipts', 'credits_exhausted', 'accountProof']) {
        await page.getByRole('combobox').fill(term);
        const titles = async () =>
          (await page.locator('.search-title').allInnerTexts()).slice(0, 3);
        await expect.poll(async () => (await titles()).join(' ')).toContain(term);
      }
      for (const [typed, meant] of [
        ['getProff', 'eth_getProof'],
        ['how do I authenticate', 'Authentication'],
      ] as const) {
        await page.getByRole('combobox').fill(typed);
        await expect.poll(() => page.locator('.search-title').first().innerText()).toBe(meant);
      }
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(false);
    });
  });

  test('walks a page by keyboard alone: skip link, tabs, folds, menu', async () => {
    await inPage({}, async (page) => {
      await page.goto(`${reader.site.url}methods/getProgramAccounts.html`);
      await page.keyboard.press('Tab');
      await expect.poll(() => page.locator(':focus').innerText()).toBe('Skip to content');
      await page.keyboard.press('Enter');
      expect(await page.locator(':focus').getAttribute('id')).toBe('content');
      const curl = page.getByRole('tab', { name: 'curl' });
      await curl.focus();
      await page.keyboard.press('ArrowRight');
      const wscat = page.getByRole('tab', { name: 'wscat' });
      expect(await wscat.getAttribute('aria-selected')).toBe('true');
      expect(await page.getByRole('tabpanel', { name: 'wscat' }).innerText()).toContain(
        'npx wscat',
      );
      await openFolds(page);
      const filters = page.locator('.variants', { hasText: 'DataSizeFilter' }).first();
      const panelOf = (name: string) => filters.getByRole('tabpanel', { name });
      expect(await panelOf('DataSizeFilter').isVisible()).toBe(true);
      await filters.getByRole('tab', { name: 'DataSizeFilter' }).focus();
      await page.keyboard.press('ArrowRight');
      expect(await panelOf('MemcmpFilter').isVisible()).toBe(true);
      expect(await panelOf('DataSizeFilter').isVisible()).toBe(false);
      await page.goto(`${reader.site.url}methods/eth_getProof.html`);
      expect(await wscat.getAttribute('aria-selected'), 'the choice is remembered').toBe('true');
      const fold = page.locator('details.example > summary').nth(1);
      await fold.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('details.example').nth(1).getAttribute('open')).toBe('');
      await page.setViewportSize(PHONE);
      await page.getByRole('button', { name: 'Menu' }).focus();
      await page.keyboard.press('Enter');
      const entry = page.locator('#menu').getByRole('link', { name: 'eth_estimateGas' });
      await entry.waitFor({ state: 'visible' });
      await page.keyboard.press('Escape');
      await entry.waitFor({ state: 'hidden' });
    });
  });

  test('keeps the color theme on the next page', async () => {
    await inPage({ colorScheme: 'dark' }, async (page) => {
      const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
      await page.goto(`${reader.site.url}index.html`);
      const dark = await ground();
      const button = page.getByRole('button', { name: /^Color theme/ });
      await button.press('Enter');
      expect(await button.getAttribute('aria-label')).toBe('Color theme: light');
      const light = await ground();
      expect(light).not.toBe(dark);
      await page.goto(`${reader.site.url}errors.html`);
      expect(await ground()).toBe(light);
      await button.press('Enter');
      expect(await ground()).toBe(dark);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await ground()).toBe(dark);
      await button.press('Enter');
      expect(await ground()).toBe(light);
    });
  });

  test('sees the current page in a long menu', async () => {
    await inPage({}, async (page) => {
      await page.goto(`${reader.site.url}operations/serve.html`);
      const entry = page.locator('#menu [aria-current]');
      const bottom = async () => {
        const box = await entry.boundingBox();
        return box === null ? Infinity : box.y + box.height;
      };
      await expect.poll(bottom).toBeLessThan(DESKTOP.height);
    });
  });

  test('reaches a field within folds by its link', async () => {
    await inPage({}, async (page) => {
      const path = 'methods/getProgramAccounts.html';
      const html = Buffer.from(reader.site.files.get(path)!).toString();
      const [, id] = / id="(params\.config\.[^"]*memcmp\.bytes)"/.exec(html)!;
      await page.goto(`${reader.site.url}${path}#${id}`);
      await expect.poll(() => page.locator(`[id="${id}"]`).isVisible()).toBe(true);
      // The page scrolls there smoothly.
      const top = async () => (await page.locator(`[id="${id}"]`).boundingBox())?.y ?? -1;
      await expect.poll(top).toBeGreaterThan(0);
      await expect.poll(top).toBeLessThan(DESKTOP.height / 2);
    });
  });

  test('calculates credits and the cheapest sufficient plan', async () => {
    await inPage({}, async (page) => {
      await page.goto(`${reader.site.url}credits.html`);
      await page.getByLabel('Calls of eth_getBlockReceipts a day').fill('10000');
      await page.getByLabel('Calls of eth_getProof a day').fill('2');
      const total = page.locator('[data-total]');
      expect(await total.innerText()).toBe('10,000,300 credits per day, plan developer');
      expect(await page.locator('tr:has([data-plan-fits]:not([hidden]))').innerText()).toContain(
        'developer',
      );
      await page.getByLabel('Calls of eth_getBlockReceipts a day').fill('100000000');
      expect(await total.innerText()).toContain('plan custom');
    });
  });

  test('copies the page as Markdown, and code', async () => {
    await inPage({}, async (page) => {
      const copied = () => page.evaluate('navigator.clipboard.readText()');
      await page.goto(`${reader.site.url}methods/eth_getProof.html`);
      await page.getByRole('button', { name: 'Copy page' }).click();
      await expect.poll(copied).toMatch(/^# eth_getProof\n/);
      await page.getByRole('button', { name: 'Copy curl' }).press('Enter');
      await expect.poll(copied).toMatch(/^curl -s /);
    });
  });

  test('reads and follows everything without JavaScript', async () => {
    const context = await reader.browser.newContext({ viewport: PHONE, javaScriptEnabled: false });
    try {
      const wrong = watch(context, reader.site);
      const page = await context.newPage();
      await page.goto(`${reader.site.url}methods/getProgramAccounts.html`);
      for (const text of ['Public key of the program, base-58.', '_client import Client']) {
        expect(await page.getByText(text).first().isVisible()).toBe(true);
      }
      expect(await page.locator('.try-it-fallback').isVisible()).toBe(true);
      expect(await page.locator('[data-search]').isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.locator('#menu').getByRole('link', { name: 'eth_getProof' }).click();
      await page.waitForURL(/eth_getProof\.html$/);
      await page.goto(`${reader.site.url}credits.html`);
      expect(await page.getByText('Calls per day').isVisible()).toBe(false);
      expect(await page.getByText('1,000', { exact: true }).isVisible()).toBe(true);
      expect(wrong).toEqual([]);
    } finally {
      await context.close();
    }
  });

  test('reads everything if the scripts fail to load', async () => {
    const context = await reader.browser.newContext({ viewport: DESKTOP });
    await context.route('**/assets/site.js', (route) => route.abort());
    try {
      const page = await context.newPage();
      await page.goto(`${reader.site.url}methods/getProgramAccounts.html`);
      for (const text of ['curl -s ', 'npx wscat', '_client import Client']) {
        expect(await page.getByText(text).first().isVisible(), text).toBe(true);
      }
    } finally {
      await context.close();
    }
  });

  test('prints the content without controls', async () => {
    await inPage({}, async (page) => {
      await page.goto(`${reader.site.url}methods/eth_getProof.html`);
      await page.emulateMedia({ media: 'print' });
      for (const control of [
        '.top',
        '#menu',
        '.page-tools',
        '#try-it',
        '.samples [role=tablist]',
      ]) {
        expect(await page.locator(control).isVisible(), control).toBe(false);
      }
      expect(await page.getByRole('heading', { name: 'eth_getProof' }).isVisible()).toBe(true);
      expect(await page.getByText('_client import Client').isVisible()).toBe(true);
    });
  });
});
