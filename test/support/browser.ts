/**
 * A headless browser for tests: the one that CHROME_PATH names, an installed Chromium or Chrome, one
 * that Playwright keeps, or the one of the @sparticuz/chromium package.
 */
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** A running browser, closed at the end of the block. */
export interface TestBrowser extends AsyncDisposable {
  readonly browser: Browser;
  close(): Promise<void>;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const LAUNCH_TIMEOUT_MS = 30_000;

// A browser reads only the last list, so it repeats what Playwright disables.
const FEATURES_OFF = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  // Pages that the window keeps for each tab, which take a fifth of a test's time.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

// A test may reach only its own servers, so background requests of the browser are disabled.
const ARGUMENTS = [
  `--disable-features=${FEATURES_OFF.join(',')}`,
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-sync',
  '--no-first-run',
  '--no-default-browser-check',
];

/** Starts a browser. Rejects, saying where it looked, when none can be started. */
export async function startBrowser(): Promise<TestBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'specgate-browser-'));
  const removeHome = (): Promise<void> => rm(home, { recursive: true, force: true });
  try {
    const browser = await chromium.launch({
      executablePath: findInstalled() ?? (await unpackBrowser(home)),
      args: ARGUMENTS,
      timeout: LAUNCH_TIMEOUT_MS,
    });
    const close = async (): Promise<void> => {
      await browser.close();
      await removeHome();
    };
    return { browser, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await removeHome();
    throw new Error(
      'no browser could be started: set CHROME_PATH, or install chromium or google-chrome',
      { cause: error },
    );
  }
}

function findInstalled(): string | undefined {
  const named = process.env['CHROME_PATH'];
  if (named !== undefined && named !== '') return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const kept = globSync('.cache/ms-playwright/chromium*/chrome-linux*/{chrome,headless_shell}', {
    cwd: homedir(),
  });
  return [...onPath, ...kept.map((path) => join(homedir(), path))].find((path) => existsSync(path));
}

/** Unpacks the package's browser into a folder of its own: two that unpack to one place would race. */
async function unpackBrowser(folder: string): Promise<string> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    const { default: packaged } = await import('@sparticuz/chromium');
    return await packaged.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}
