/** A browser with one page on the documentation site of openrpc.json, for the tests of one file. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { startBrowser, type TestBrowser } from '../../support/browser.ts';
import { modelAt, ownGuides } from '../../generator/targets/docs/support.ts';
import { serveSiteOf, watch, type ServedSite } from './site-server.ts';

export const DESKTOP = { width: 1360, height: 900 };
export const PHONE = { width: 360, height: 780 };

interface View {
  readonly viewport?: typeof DESKTOP;
  readonly colorScheme?: 'light' | 'dark';
}

export interface Reader {
  readonly browser: Browser;
  readonly site: ServedSite;
  /** Errors of the page since they were last removed. */
  readonly wrong: string[];
  /** Runs in the shared page as a first visit, then expects that the page logged no error. */
  readonly inPage: (view: View, use: (page: Page) => Promise<void>) => Promise<void>;
}

/** Registers the hooks that start and stop the browser and the site, which is served below `base`. */
export function startReader(base: string): Reader {
  let browser: TestBrowser;
  let site: ServedSite;
  /** One page kept open: opening one per test would take longer than most tests. */
  let shared: { readonly context: BrowserContext; readonly page: Page; readonly wrong: string[] };

  beforeAll(async () => {
    const model = await modelAt('openrpc.json');
    [browser, site] = await Promise.all([
      startBrowser(),
      serveSiteOf(model, { ...ownGuides, base }),
    ]);
    const context = await browser.browser.newContext({ reducedMotion: 'reduce' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    shared = { context, page: await context.newPage(), wrong: watch(context, site) };
  });

  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  return {
    get browser() {
      return browser.browser;
    },
    get site() {
      return site;
    },
    get wrong() {
      return shared.wrong;
    },
    async inPage({ viewport = DESKTOP, colorScheme = 'light' }, use) {
      const { page, wrong } = shared;
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, media: 'screen' });
      await use(page);
      expect(wrong.splice(0)).toEqual([]);
      await page.evaluate('localStorage.clear(), sessionStorage.clear()');
    },
  };
}
