/** Forwarding: only for the document's method, with a partner, and on plans that include it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evmFacts } from '../devnet/evm-facts.ts';
import { startEvmNode } from '../../src/devnet/evm/index.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import { freePort } from '../support/free-port.ts';
import { removeFolder, serve, type Serving } from '../support/serve.ts';
import { httpWire, post, webSocketWire, type RpcAnswer, type WireAnswer } from '../support/wire.ts';

const { hash } = evmFacts.blocks.firstTransfer;
const FORWARDED = { method: 'eth_getTransactionByBlockHashAndIndex', params: [hash, '0x0'] };
const PLANS = ['free', 'developer', 'team', 'custom'] as const;

let partner: DevnetNode;
let alone: Serving;
let helped: Serving;
let network: object;

beforeAll(async () => {
  partner = await startEvmNode();
  const upstreams = [{ url: `http://127.0.0.1:${await freePort()}` }];
  network = { name: 'evm', family: 'evm', listen: { port: 0 }, upstreams, identity: 31_337 };
  const accounts = PLANS.map((plan) => ({
    id: plan,
    plan,
    ...(plan === 'custom' ? { creditsPerDay: 1_000_000, callsPerSecond: 1_000 } : {}),
    keys: [{ key: `key-of-${plan}` }],
  }));
  [alone, helped] = await Promise.all([
    serve({ accounts, networks: [network] }),
    serve({
      accounts,
      networks: [{ ...network, partner: { name: 'partner-one', url: partner.httpUrl } }],
    }),
  ]);
});

afterAll(async () => {
  await Promise.all([alone.stop(), helped.stop(), partner.stop()]);
  for (const { folder } of [alone, helped]) removeFolder(folder);
});

function ask(serving: Serving, plan: string, call: object): Promise<WireAnswer> {
  return post(
    `${serving.base}/v3/key-of-${plan}`,
    JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
  );
}

async function used(serving: Serving, plan: string): Promise<number> {
  return (
    (await (await fetch(`${serving.base}/v3/key-of-${plan}/usage`)).json()) as { used: number }
  ).used;
}

describe('while the nodes of the network are down', () => {
  test.each(['team', 'custom'])(
    'plan %s is answered by the partner, named in a header, and charged',
    async (plan) => {
      const before = await used(helped, plan);
      const { status, json, headers } = await ask(helped, plan, FORWARDED);
      expect(status).toBe(200);
      expect((json as RpcAnswer).result).toMatchObject({
        hash: evmFacts.transactions.legacyTransfer.hash,
      });
      expect(headers.get('x-forwarded-to')).toBe('partner-one');
      expect(json).toMatchObject({ 'x-forwarded-to': 'partner-one' });
      expect(headers.get('access-control-expose-headers')).toContain('x-forwarded-to');
      expect((await used(helped, plan)) - before).toBe(150);
    },
  );

  test.each(['free', 'developer'])(
    'plan %s gets 503 with a hint and is not charged',
    async (plan) => {
      const { status, json, headers } = await ask(helped, plan, FORWARDED);
      expect(status).toBe(503);
      const data = (json as RpcAnswer).error?.data as { reason: string; upgrade?: string };
      expect(data.reason).toBe('no_upstream');
      expect(data.upgrade).toMatch(/^on plan team or custom, a partner serves this call/);
      expect(headers.get('x-forwarded-to')).toBeNull();
      expect(await used(helped, plan)).toBe(0);
    },
  );

  test.each(['http', 'ws'])('a partner over %s does not forward the call again', async (scheme) => {
    const path = scheme === 'ws' ? '/ws/v3' : '/v3';
    const url = `${helped.base.replace('http', scheme)}${path}/key-of-team`;
    const first = await serve({
      accounts: [{ id: 'team', plan: 'team', keys: [{ key: 'key-of-team' }] }],
      networks: [{ ...network, partner: { name: 'helped', url } }],
    });
    const before = await used(helped, 'team');
    const { json } = await ask(first, 'team', FORWARDED);
    await first.stop();
    removeFolder(first.folder);
    expect((json as RpcAnswer).error?.data).toMatchObject({ reason: 'no_upstream' });
    expect(await used(helped, 'team')).toBe(before);
  });

  test('no other method is forwarded', async () => {
    const { status, json } = await ask(helped, 'team', {
      method: 'eth_getBlockByHash',
      params: [hash, false],
    });
    expect(status).toBe(503);
    expect((json as RpcAnswer).error?.data).not.toHaveProperty('upgrade');
  });

  test.each(PLANS)('without a partner plan %s gets 503 without a hint', async (plan) => {
    const { status, json } = await ask(alone, plan, FORWARDED);
    expect(status).toBe(503);
    expect((json as RpcAnswer).error?.data).not.toHaveProperty('upgrade');
  });

  test('the headers of a batch say that a part of it was forwarded', async () => {
    const calls = [FORWARDED, { method: 'eth_getBlockByHash', params: [hash, false] }].map(
      (call, id) => ({ jsonrpc: '2.0', id, ...call }),
    );
    const { json, headers } = await httpWire(`${helped.base}/v3/key-of-team`).send(
      JSON.stringify(calls),
    );
    expect((json as RpcAnswer[]).map(({ error }) => error === undefined)).toEqual([true, false]);
    expect(headers.get('x-forwarded-to')).toBe('partner-one');
    expect((json as readonly object[]).map((each) => 'x-forwarded-to' in each)).toEqual([
      true,
      false,
    ]);
  });

  test('a message over WebSocket says that it was forwarded', async () => {
    const wire = await webSocketWire(`${helped.base.replace('http', 'ws')}/ws/v3/key-of-team`);
    const { json } = await wire.send(JSON.stringify({ jsonrpc: '2.0', id: 1, ...FORWARDED }));
    await wire.close();
    expect(json).toMatchObject({
      id: 1,
      result: { hash: evmFacts.transactions.legacyTransfer.hash },
      'x-forwarded-to': 'partner-one',
    });
  });
});
