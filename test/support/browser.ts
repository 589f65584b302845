/**
 * A headless browser for tests: the one that CHROME_PATH names, an installed Chromium or Chrome, one
 * that Playwright keeps, or the one of the @sparticuz/chromium package.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** A running browser, closed at the end of the block. */
export interface TestBrowser extends AsyncDisposable {
  readonly browser: Browser;
  close(): Promise<void>;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const LAUNCH_TIMEOUT_MS = 60_000;
const root = join(import.meta.dirname, '../..');

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
  try {
    const browser = await chromium.launch({
      executablePath: findInstalled() ?? (await unpackedBrowser()),
      args: ARGUMENTS,
      timeout: LAUNCH_TIMEOUT_MS,
    });
    const close = (): Promise<void> => browser.close();
    return { browser, close, [Symbol.asyncDispose]: close };
  } catch (error) {
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

/** Where the package's browser is unpacked once, since that takes longer than starting it. */
function unpackedFolder(): string {
  const packageFile = join(root, 'node_modules/@sparticuz/chromium/package.json');
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  return join(root, 'node_modules/.cache', `chromium-${version}`);
}

/** The path of the package's browser, which is unpacked if no earlier call has done so. */
async function unpackedBrowser(): Promise<string> {
  const folder = unpackedFolder();
  const binary = join(folder, 'chromium');
  if (existsSync(binary)) return binary;
  await mkdir(dirname(folder), { recursive: true });
  // Renamed when complete, so that no other process starts a part of a browser.
  const own = await mkdtemp(`${folder}-`);
  await unpackBrowser(own);
  await rename(own, folder).catch(async (error: unknown) => {
    await rm(own, { recursive: true, force: true });
    if (!existsSync(binary)) throw error;
  });
  return binary;
}

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
