/** The console with methods our own document has none of: by name, notifications, optional before required. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelOf } from '../../generator/support/document.ts';
import { hardDocument } from '../../generator/support/hard-document.ts';
import { startBrowser, type TestBrowser } from '../../support/browser.ts';
import { openTryIt } from '../../support/try-it-page.ts';
import { serveSiteOf, type ServedSite } from './site-server.ts';

/** Answered in the browser: nothing listens there. */
const SERVICE = 'http://service.example/';

let browser: TestBrowser;
let site: ServedSite;
beforeAll(async () => {
  const model = await modelOf(hardDocument);
  [browser, site] = await Promise.all([startBrowser(), serveSiteOf(model)]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

/** Fills in fields by their labels, sends, and gives what the service was sent. */
async function sentFor(
  method: string,
  values: Readonly<Record<string, string>>,
  added: readonly string[] = [],
): Promise<unknown> {
  const context = await browser.browser.newContext();
  const sent: string[] = [];
  await context.route('**/config.json', (route) =>
    route.fulfill({
      json: { networks: [{ name: 'one', family: null, http: SERVICE, ws: null }], key: null },
    }),
  );
  await context.route(SERVICE, async (route) => {
    sent.push(route.request().postData() ?? '');
    await route.fulfill({
      json: { jsonrpc: '2.0', id: 1, result: 'x' },
      headers: { 'access-control-allow-origin': '*' },
    });
  });
  const form = await openTryIt(context, { site: site.url, method });
  for (const name of added) await form.button(`Add ${name}`).click();
  for (const [label, value] of Object.entries(values)) {
    await form.root.getByLabel(label, { exact: true }).fill(value);
  }
  await form.send();
  await context.close();
  return JSON.parse(sent.at(-1)!);
}

test('a method that takes its parameters by name is sent an object of them', async () => {
  expect(await sentFor('named', { 'first name': 'Ada', age: '36' }, ['age'])).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'named',
    params: { 'first name': 'Ada', age: 36 },
  });
});

test('a document that names no server is called at the address the reader types', async () => {
  const context = await browser.browser.newContext();
  await context.route('**/config.json', (route) =>
    route.fulfill({ json: { networks: [], key: null } }),
  );
  const sent: string[] = [];
  await context.route(SERVICE, async (route) => {
    sent.push(route.request().postData() ?? '');
    await route.fulfill({
      json: { jsonrpc: '2.0', id: 1, result: 'x' },
      headers: { 'access-control-allow-origin': '*' },
    });
  });
  const form = await openTryIt(context, { site: site.url, method: 'optionalFirst' });
  await form.root.getByLabel('class', { exact: true }).fill('a');
  for (const address of ['', 'service.example', 'ftp://service.example/']) {
    await form.root.getByLabel('Address').fill(address);
    expect(await form.send()).toContain('No address');
  }
  await form.root.getByLabel('Address').fill(SERVICE);
  expect(await form.send()).toContain('HTTP 200');
  expect(sent).toHaveLength(1);
  expect(await form.page.locator('.samples').innerText()).not.toContain(SERVICE);
  await context.close();
});

test('an optional parameter that is left out before a required one is sent as null', async () => {
  expect(await sentFor('optionalFirst', { class: 'a' })).toMatchObject({ params: [null, 'a'] });
});

test('a notification is sent without an id', async () => {
  expect(await sentFor('notify', { event: 'began' })).toEqual({
    jsonrpc: '2.0',
    method: 'notify',
    params: ['began'],
  });
});
