/** The methods that the gateway answers itself, through `specgate serve` with a real node. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEvmNode } from '../../src/devnet/evm/index.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import { document } from '../support/document.ts';
import { removeFolder, serve, type Serving } from '../support/serve.ts';
import { call, httpWire, post, type RpcAnswer } from '../support/wire.ts';

const PLENTY = { plan: 'custom', creditsPerDay: 1_000_000, callsPerSecond: 100_000 };

let node: DevnetNode;
let serving: Serving;

beforeAll(async () => {
  node = await startEvmNode();
  const network = { family: 'evm', listen: { port: 0 }, upstreams: [{ url: node.httpUrl }] };
  serving = await serve({
    networks: [
      { name: 'evm', ...network },
      { name: 'without', ...network, serviceMethods: false },
    ],
    accounts: [
      { id: 'app', ...PLENTY, keys: [{ key: 'key-of-app' }] },
      { id: 'slow', ...PLENTY, callsPerSecond: 2, keys: [{ key: 'key-of-slow' }] },
    ],
  });
});

afterAll(async () => {
  await serving.stop();
  await node.stop();
  removeFolder(serving.folder);
});

const urlOf = (network: number, id: string): string => `${serving.bases[network]}/v3/key-of-${id}`;
const request = (method: string, id: number): object => ({ jsonrpc: '2.0', id, method });

/** The methods of the family, as the document describes them. */
const described = document['x-service-methods'].filter(({ family }) => family === 'evm');

describe('the methods that client libraries call first', () => {
  test('are described beside the other methods, with an example that is the live result', async () => {
    const names = described.map(({ name }) => name);
    expect(names).toEqual(['eth_chainId', 'net_version', 'eth_blockNumber', 'web3_clientVersion']);
    expect(document.methods.filter(({ name }) => names.includes(name))).toEqual([]);
    for (const { name, example } of described) {
      const { result } = await call(httpWire(urlOf(0, 'app')), name, []);
      expect(result, name).toBe(example);
    }
  });

  test('are free of charge, also in a batch', async () => {
    const batch = described.map(({ name }, id) => request(name, id));
    const { json, headers } = await post(urlOf(0, 'app'), JSON.stringify(batch));
    expect((json as RpcAnswer[]).map(({ result }) => typeof result)).toEqual(
      batch.map(() => 'string'),
    );
    expect(headers.get('x-credits-cost')).toBe('0');
    const usage = await fetch(`${urlOf(0, 'app')}/usage`);
    expect(await usage.json()).toMatchObject({ used: 0 });
  });

  test('count against the rate limit', async () => {
    const batch = Array.from({ length: 10 }, (_, id) => request('eth_chainId', id));
    const { json } = await post(urlOf(0, 'slow'), JSON.stringify(batch));
    const codes = (json as RpcAnswer[]).map(({ error }) => error?.code);
    expect(codes).toContain(-32005);
    expect(codes).toContain(undefined);
  });

  test('are unknown where a network switches them off; discovery stays', async () => {
    const wire = httpWire(urlOf(1, 'app'));
    for (const { name } of described) {
      expect((await call(wire, name, [])).error?.code, name).toBe(-32601);
    }
    expect((await call(wire, 'rpc.discover', [])).result).toMatchObject({ openrpc: '1.3.2' });
  });
});
