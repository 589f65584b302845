/** The client of a third-party document, compiled and run against a server. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consumerProject, type EmittedPackage, emitPackage } from './emit.ts';
import { sendJson, serveHttp, serveSocket } from './servers.ts';

const path = createRequire(import.meta.url).resolve('@metamask/api-specs/dist/build/openrpc.json');

let emitted: EmittedPackage;
let name: string;
beforeAll(async () => {
  emitted = await emitPackage(path);
  ({ name } = JSON.parse(await readFile(`${emitted.folder}/package.json`, 'utf8')) as {
    name: string;
  });
  expect(await emitted.compile('tsconfig.json')).toBe('');
  await emitted.write('check/tsconfig.json', consumerProject);
});
afterAll(() => emitted[Symbol.asyncDispose]());

describe('the client of @metamask/api-specs', () => {
  test('has typed calls and README examples', async () => {
    const readme = await readFile(`${emitted.folder}/README.md`, 'utf8');
    const blocks = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code!);
    expect(blocks.length).toBeGreaterThan(40);
    // Two of the document's examples hold a member that their schema does not name.
    const sound = blocks.filter((code) => !/Permissions\(\{\s*"?eth_accounts/.test(code));
    expect(blocks.length - sound.length).toBe(2);
    for (const [index, code] of sound.entries()) {
      await emitted.write(`check/example-${index}.ts`, `${code}\nexport {};\n`);
    }
    await emitted.write(
      'check/types.ts',
      `import { createClient, http } from '${name}';
const client = createClient({ transport: http({ url: 'http://h/' }) });
export const balance: Promise<string> = client.ethGetBalance('0x1', 'latest');
export const accounts: Promise<string[]> = client.request({ method: 'eth_accounts' });
// @ts-expect-error the hash of a transaction is text
void client.ethGetTransactionReceipt(1);
`,
    );
    expect(await emitted.compile('check/tsconfig.json')).toBe('');
  });

  test.each(['http', 'webSocket'] as const)(
    'calls by position and by name over %s',
    async (kind) => {
      const results: Readonly<Record<string, unknown>> = {
        eth_chainId: '0x1',
        eth_getBalance: '0x2',
        wallet_watchAsset: true,
      };
      const refusal = { code: 4001, message: 'User rejected the request.' };
      await using server = await (kind === 'http'
        ? serveHttp((response, { id, method }) => sendJson(response, 200, answer(id, method)))
        : serveSocket((socket, { id, method }) => socket.send(JSON.stringify(answer(id, method)))));
      function answer(id: unknown, method: string): object {
        const outcome = method in results ? { result: results[method] } : { error: refusal };
        return { jsonrpc: '2.0', id, ...outcome };
      }
      await emitted.write(
        'check/calls.js',
        `import { createClient, ${kind} } from '${name}';
import * as all from '${name}';
const client = createClient({ transport: ${kind}({ url: process.env.RPC_URL, batch: false }) });
const asset = { type: 'ERC20', options: { address: '0x' + '11'.repeat(20) } };
console.log(JSON.stringify([
  await client.ethChainId(),
  await client.ethGetBalance('0x1', 'latest'),
  await client.walletWatchAsset(asset),
  await client.ethRequestAccounts().catch((error) => [error instanceof all.RpcError, error.code]),
]));
client.close();
`,
      );
      const output = await emitted.run('check/calls.js', { RPC_URL: server.url });
      expect(JSON.parse(output)).toEqual(['0x1', '0x2', true, [true, 4001]]);
      expect(server.seen.map(({ method, params }) => [method, params])).toEqual([
        ['eth_chainId', []],
        ['eth_getBalance', ['0x1', 'latest']],
        ['wallet_watchAsset', { type: 'ERC20', options: { address: `0x${'11'.repeat(20)}` } }],
        ['eth_requestAccounts', []],
      ]);
    },
  );
});
