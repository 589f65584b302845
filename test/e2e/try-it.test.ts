/** The console of the documentation, in a real browser, against the devnet. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { findViolations } from '../docs/browser/accessibility.ts';
import { startBrowser, type TestBrowser } from '../support/browser.ts';
import type { Json } from '../support/document.ts';
import { pressOn } from '../support/keyboard.ts';
import { startReading, type Reading } from '../support/reading.ts';
import { openTryIt, type TryItOptions, type TryItPage } from '../support/try-it-page.ts';

const DESKTOP = { width: 1360, height: 900 };
const PHONE = { width: 360, height: 780 };

let browser: TestBrowser;
/** Shared by all tests: opening a page takes longer than most of them. */
let reading: Reading;
let page: Page;
beforeAll(async () => {
  // The first page waits until the site is built.
  [browser] = await Promise.all([startBrowser(), fetch(inject('product').docs)]);
  reading = await startReading(browser.browser, { viewport: DESKTOP });
  page = await reading.context.newPage();
});
afterAll(async () => {
  await reading.end();
  await browser.close();
});

/** Valid by its form, but of no account. */
const UNKNOWN_KEY = 'f'.repeat(32);

/** Messages that the running test expects on the browser's console. */
const expected: RegExp[] = [];
afterEach(async () => {
  reading.look(expected.splice(0));
  await page.evaluate('sessionStorage.clear(), localStorage.clear()');
});

/** Whether an element is within the window and not covered. */
function isInSight(place: Locator): Promise<boolean> {
  return place.evaluate((element) => {
    const { left, top } = element.getBoundingClientRect();
    return element.contains(element.ownerDocument.elementFromPoint(left + 4, top + 4));
  });
}

function open(method: string, options: Partial<TryItOptions> = {}): Promise<TryItPage> {
  return openTryIt(reading.context, { site: inject('product').docs, method, page, ...options });
}

const REVERT = 'A revert with a reason (error)';

describe('a reader who tries a method', () => {
  test('sees every digit of integers, in a tree that opens by keyboard', async () => {
    const form = await open('getProgramAccounts');
    await form.send();
    await expect.poll(() => isInSight(form.root.locator('.ti-answer .badge').first())).toBe(true);
    const fold = form.root.locator('.ti-tree summary', { hasText: 'account' });
    await pressOn(form.page, fold);
    const tree = form.root.getByRole('region', { name: 'Response as a tree' });
    // A fold is filled when it opens.
    await expect.poll(() => tree.innerText()).toContain('rentEpoch: 18446744073709551615');
    expect(await form.raw()).toContain('"rentEpoch": 18446744073709551615');
  });

  test('sees an error beside the field, and may send the value anyway', async () => {
    const form = await open('eth_getProof');
    const key = form.root.getByLabel('storageKeys[0]', { exact: true });
    await key.fill('0x12g');
    await form.button('Send').click();
    await form.root.getByText('Not sent: 1 error in the params').waitFor();
    expect(await key.getAttribute('aria-invalid')).toBe('true');
    expect(await form.root.locator(':focus').getAttribute('id')).toBe(await key.getAttribute('id'));
    const described = (await key.getAttribute('aria-describedby'))!.split(' ')[0]!;
    const message = form.page.locator(`[id="${described}"]`);
    expect(await message.innerText()).toBe(
      'Expected a storage key: 0x and up to 64 hexadecimal digits, got "0x12g".',
    );
    // The sticky bar below must not cover half of the button.
    await form
      .button('Send anyway')
      .evaluate((button) => button.scrollIntoView({ block: 'center' }));
    expect(await findViolations(page, { within: '#try-it' })).toEqual([]);
    await form.button('Send anyway').click();
    const card = form.root.locator('.ti-answer .ti-error');
    await card.waitFor();
    expect(await card.innerText()).toContain('-32602 invalid params: storageKeys[0]');
    await key.fill(`0x${'0'.repeat(64)}`);
    await expect.poll(() => key.getAttribute('aria-invalid')).toBe(null);
    await form.root.getByText('Not sent').waitFor({ state: 'detached' });
  });

  test('sees over both transports that a key is unknown, and the key stays in the tab', async () => {
    expected.push(/401/, /WebSocket connection to .* failed/);
    const form = await open('eth_getProof');
    await form.root.getByLabel('API key').fill(UNKNOWN_KEY);
    for (const transport of ['HTTP', 'WebSocket'] as const) {
      await form.chooseTransport(transport);
      const text = await form.send();
      expect(text).toContain('401 unknown API key');
      expect(text).toContain('Fix:');
      expect(text.includes('A test call over HTTP returns')).toBe(transport === 'WebSocket');
    }
    await form.button('Copy link').click();
    const shown = await form.page.evaluate<string>(
      `location.href + JSON.stringify(localStorage) + sessionStorage.getItem('docs-try-it-calls') +
        document.querySelector('.samples').textContent`,
    );
    expect(shown).not.toContain(UNKNOWN_KEY);
    expect(shown).toContain('<API_KEY>');
  });

  test('reads why a call reverted', async () => {
    const form = await open('eth_estimateGas');
    await form.chooseExample(REVERT);
    const text = await form.send();
    expect(text).toContain('3 Reverted: boom reason');
    expect(text).toContain('Cause: The transaction was reverted.');
    expect(text).toMatch(/Raw data: 0x08c379a0/);
    expect(text).toContain('300 credits');
    await form.chooseExample('A panic (error)');
    expect(await form.send()).toContain('Reverted: division or modulo by zero (panic 0x12)');
    await form.chooseExample('A revert with a custom error (error)');
    expect(await form.send()).toContain('Reverted: custom error 0xf984d914');
  });

  test('can cancel, and sees that a service is unreachable', async () => {
    expected.push(/ERR_FAILED/);
    const form = await open('eth_getProof');
    const { http } = inject('product').networks.evm;
    const { context } = reading;
    await context.route(http, () => new Promise(() => undefined));
    await form.button('Send').click();
    await form.button('Sending…').waitFor();
    await pressOn(page, form.button('Cancel'));
    await form.root.getByText('You canceled the call.').waitFor();
    expect(await form.root.locator(':focus').innerText()).toBe('Send');
    await context.unroute(http);
    await context.route(http, (route) => route.abort());
    expect(await form.send()).toContain('is unreachable');
    await context.unroute(http);
  });

  test('sees an error when a part of the page cannot be loaded, and may try again', async () => {
    expected.push(/ERR_FAILED/, /Failed to fetch dynamically imported module/);
    const form = await open('eth_getProof');
    await reading.context.route('**/data/validators.js', (route) => route.abort());
    await form.button('Send').click();
    await form.root.getByText('Part of this page could not be loaded').waitFor();
    await reading.context.unroute('**/data/validators.js');
    expect(await form.send()).toContain('HTTP 200');
  });

  test('sees an error when the console cannot be loaded, and may try again', async () => {
    expected.push(/ERR_FAILED/);
    const url = `${inject('product').docs}methods/eth_getProof.html#try-it`;
    for (const file of ['**/assets/console.js', '**/methods/eth_getProof.json']) {
      await reading.context.route(file, (route) => route.abort());
      // Opens another page first: a change of the fragment alone loads nothing.
      await page.goto(inject('product').docs);
      await page.goto(url);
      const button = page.getByRole('button', { name: 'Try again' });
      await button.waitFor();
      await reading.context.unroute(file);
      await button.click();
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    }
  });

  test.each(['assets/dialog.js', 'pagefind/pagefind.js', 'pagefind/pagefind-entry.json'])(
    'may search again when %s could not be loaded',
    async (path) => {
      expected.push(/ERR_FAILED/, /Failed to fetch/, /pagefind/i);
      await page.goto(inject('product').docs);
      await reading.context.route(`**/${path}*`, (route) => route.abort());
      const input = page.getByRole('combobox', { name: 'Search the documentation' });
      // Not by keyboard: a key that the browser drops while it is busy would never be pressed again.
      const openSearch = () => page.locator('[data-search]').dispatchEvent('click');
      const failed = page.waitForEvent('requestfailed', (request) => request.url().includes(path));
      await openSearch();
      if (path.startsWith('pagefind')) await input.fill('eth_getProof');
      await failed;
      if (path.startsWith('pagefind')) await page.getByText('Search could not be loaded').waitFor();
      await reading.context.unroute(`**/${path}*`);
      await expect
        .poll(async () => {
          await openSearch();
          return input.isVisible();
        })
        .toBe(true);
      await input.fill('eth_getProof');
      const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
      await expect.poll(() => options.count()).toBeGreaterThan(0);
    },
  );

  test('sees the beginning of a huge text, and all of it on request', async () => {
    const form = await open('eth_getProof');
    const { http } = inject('product').networks.evm;
    const result = 'x'.repeat(300_000);
    await reading.context.route(http, (route) =>
      route.fulfill({
        json: { jsonrpc: '2.0', id: 1, result },
        headers: { 'access-control-allow-origin': '*' },
      }),
    );
    await form.send();
    await form.root.getByRole('tab', { name: 'Raw' }).click();
    const text = form.root.getByRole('region', { name: 'Response as text' });
    expect((await text.innerText()).length).toBeLessThan(result.length);
    await form.root.getByRole('button', { name: /^Show all 300,\d+ characters$/ }).click();
    expect(await text.innerText()).toContain(result);
    await reading.context.unroute(http);
  });

  test('edits form and JSON together, and sees where the JSON is invalid', async () => {
    const form = await open('eth_getProof');
    const field = form.root.getByLabel('storageKeys[0]', { exact: true });
    await field.fill('0xab');
    expect(((await form.params()) as Json[])[1]).toEqual(['0xab']);
    await form.root.getByRole('tab', { name: 'JSON' }).click();
    const editor = form.root.getByLabel('Params as JSON');
    await editor.fill('["0x1",\n ["0xcd", "0xef",]]');
    const message = form.root.getByText('Invalid JSON: line 2, column 18');
    await message.waitFor();
    expect(await editor.getAttribute('aria-invalid')).toBe('true');
    expect(await field.inputValue()).toBe('0xab');
    expect(await form.send()).toBe('Not sent: the JSON above is invalid.');
    expect(await form.root.locator(':focus').getAttribute('aria-label')).toBe('Params as JSON');
    await editor.fill('["0x1", ["0xcd", "0xef"], "earliest"]');
    expect(await message.isVisible()).toBe(false);
    await form.root.getByRole('tab', { name: 'Form' }).click();
    const second = form.root.getByLabel('storageKeys[1]', { exact: true });
    expect(await second.inputValue()).toBe('0xef');
    const tag = form.root.getByRole('button', { name: 'blockParameter: earliest' });
    expect(await tag.getAttribute('aria-pressed')).toBe('true');
    await form.root.getByRole('button', { name: 'blockParameter: safe' }).click();
    expect(await form.params()).toEqual(['0x1', ['0xcd', '0xef'], 'safe']);
  });

  test('shares a call by a link, and repeats an earlier one', async () => {
    const form = await open('eth_getBlockByNumber');
    await form.chooseExample('By number');
    await form.chooseTransport('WebSocket');
    await form.send();
    const first = await form.params();
    await form.root.getByRole('switch').click();
    const shared = await form.params();
    expect(shared).not.toEqual(first);
    await form.button('Copy link').click();
    const { hash } = new URL(form.page.url());
    const other = await open('eth_getBlockByNumber', {
      page: await reading.context.newPage(),
      fragment: hash.slice(1),
    });
    expect(await other.params()).toEqual(shared);
    expect(await other.root.getByRole('radio', { name: 'WebSocket' }).isChecked()).toBe(true);
    await other.page.close();
    await form.root.getByText('Recent calls in this tab').click();
    await form.root.getByRole('button', { name: /^Restore / }).click();
    expect(await form.params()).toEqual(first);
  });

  test('has no axe-core violations in an open console, in light and dark, on a desktop and a phone', async () => {
    const form = await open('eth_estimateGas');
    const { page } = form;
    await form.chooseExample('With an access list, at a block');
    await form.root.getByLabel('accessList[0]', { exact: false }).first().waitFor();
    await form.send();
    const found: string[] = [];
    const looks = [
      { colorScheme: 'light', viewport: DESKTOP, onlyAppearance: false },
      { colorScheme: 'dark', viewport: DESKTOP, onlyAppearance: true },
      { colorScheme: 'dark', viewport: PHONE, onlyAppearance: false },
    ] as const;
    for (const { colorScheme, viewport, onlyAppearance } of looks) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(viewport);
      found.push(...(await findViolations(page, { onlyAppearance, within: '#try-it' })));
    }
    expect(found).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
  });
});
