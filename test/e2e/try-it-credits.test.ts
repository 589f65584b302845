/** The console of the documentation for an account without credits. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startEvmNode } from '../../src/devnet/evm/index.ts';
import { loadSite, ownSite } from '../../src/docs/site.ts';
import { serveFiles } from '../docs/browser/site-server.ts';
import { startBrowser } from '../support/browser.ts';
import { removeFolder, serve } from '../support/serve.ts';
import { openTryIt, type TryItPage } from '../support/try-it-page.ts';

const KEY = 'key-of-a-poor-partner';

/** Less than any method costs. */
const CREDITS_A_DAY = 10;

const ended: (() => Promise<unknown>)[] = [];
let form: TryItPage;

beforeAll(async () => {
  const node = await startEvmNode();
  ended.push(() => node.stop());
  const serving = await serve({
    accounts: [
      {
        id: 'partner',
        plan: 'custom',
        creditsPerDay: CREDITS_A_DAY,
        callsPerSecond: 1000,
        keys: [{ key: KEY }],
      },
    ],
    networks: [
      { name: 'evm', family: 'evm', listen: { port: 0 }, upstreams: [{ url: node.httpUrl }] },
    ],
  });
  ended.push(
    async () => removeFolder(serving.folder),
    () => serving.stop(),
  );
  // Waits until the site is built.
  await fetch(inject('product').docs);
  const config = {
    networks: [
      {
        name: 'evm',
        family: 'evm',
        http: `${serving.base}/v3/<API_KEY>`,
        ws: `${serving.base.replace('http', 'ws')}/ws/v3/<API_KEY>`,
      },
    ],
    key: null,
  };
  const files = [...(await loadSite(ownSite))].map(([path, { body }]) => [path, body] as const);
  const site = await serveFiles(
    new Map([...files, ['config.json', Buffer.from(JSON.stringify(config))]]),
    '/below/',
  );
  ended.push(() => site.close());
  const browser = await startBrowser();
  ended.push(() => browser.close());
  const context = await browser.browser.newContext();
  form = await openTryIt(context, { site: site.url, method: 'eth_getBlockReceipts' });
});

afterAll(async () => {
  for (const end of ended.toReversed()) await end();
});

test.each(['HTTP', 'WebSocket'] as const)(
  'over %s a reader without credits sees when the balance is full again and is not charged',
  async (transport) => {
    await form.root.getByLabel('API key').fill(KEY);
    await form.chooseTransport(transport);
    const text = await form.send();
    expect(text).toContain('402 daily credits exhausted');
    expect(text).toContain('The remaining daily balance does not cover this call.');
    expect(text).toMatch(
      /Credits reset at \d{4}-\d\d-\d\d 00:00 UTC, in (?:\d+ h )?\d+ (?:min|s)\./,
    );
    expect(text).toContain('0 credits');
  },
);
