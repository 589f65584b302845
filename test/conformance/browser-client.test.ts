/** The generated client, bundled as in an application, in a real browser against a gateway of another origin. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type * as sdk from '../../generated/client/src/index.ts';
import { evmFacts } from '../devnet/evm-facts.ts';
import { solanaFacts } from '../devnet/solana-facts.ts';
import { bundle } from '../client/bundle.ts';
import { startBrowser, type TestBrowser } from '../support/browser.ts';

declare const client: typeof sdk;

let browser: TestBrowser;
let site: Server;
let page: Awaited<ReturnType<TestBrowser['browser']['newPage']>>;
beforeAll(async () => {
  const script = await bundle(`import * as client from 'client'; globalThis.client = client;`);
  site = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<script type="module" src="/client.js"></script>');
  });
  await new Promise<void>((resolve) => {
    site.listen(0, '127.0.0.1', resolve);
  });
  browser = await startBrowser();
  page = await browser.browser.newPage();
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  await page.waitForFunction(() => 'client' in globalThis);
});
afterAll(async () => {
  await browser?.close();
  site.closeAllConnections();
  site.close();
});

describe.each(['http', 'ws'] as const)('the client in a browser over %s', (kind) => {
  test('reads blocks at once, and a revert with its reason', async () => {
    const url = inject('product').networks.evm[kind];
    const { hash, failing } = {
      hash: evmFacts.blocks.finalized.hash,
      failing: evmFacts.failingCalls.reason.call,
    };
    const seen = await page.evaluate(
      async ({ url, kind, hash, failing }) => {
        const transport = kind === 'http' ? client.http({ url }) : client.webSocket({ url });
        const rpc = client.createClient({ transport });
        const [block, none] = await Promise.all([
          rpc.ethGetBlockByHash(hash, true),
          rpc.ethGetTransactionByHash(`0x${'0'.repeat(64)}`),
        ]);
        const { credits, requestId } = await rpc.ethGetBlockByHash(hash, false).withResponse();
        const error = await rpc.ethEstimateGas(failing).catch((thrown: unknown) => thrown);
        const revert = error instanceof client.ExecutionRevertedError ? error.revertReason : error;
        rpc.close();
        return { hash: block?.hash, none, credits, hasId: requestId !== null, revert };
      },
      { url, kind, hash, failing },
    );
    expect(seen).toEqual({
      hash,
      none: null,
      credits: 80,
      hasId: kind === 'http',
      revert: 'boom reason',
    });
  });

  test('keeps the last digit of an unsigned 64-bit integer', async () => {
    const url = inject('product').networks.solana[kind];
    const epoch = await page.evaluate(
      async ({ url, kind, program }) => {
        const options = { url, json: client.exactJson };
        const transport = kind === 'http' ? client.http(options) : client.webSocket(options);
        const rpc = client.createClient({ transport });
        const [first] = await rpc.getProgramAccounts(program, { encoding: 'base64' });
        rpc.close();
        return String(first?.account.rentEpoch);
      },
      { url, kind, program: solanaFacts.programs.token },
    );
    expect(epoch).toBe('18446744073709551615');
  });
});

test('in a browser a wrong key is a typed error over HTTP, read through CORS', async () => {
  const url = inject('product').networks.evm.http.replace(/demo$/, `sg_${'z'.repeat(43)}`);
  const seen = await page.evaluate(async (url) => {
    const rpc = client.createClient({ transport: client.http({ url }) });
    const error = await rpc.ethGetBlockByNumber('latest', false).catch((thrown: unknown) => thrown);
    return [error instanceof client.KeyUnknownError, (error as { status: number }).status];
  }, url);
  expect(seen).toEqual([true, 401]);
});
