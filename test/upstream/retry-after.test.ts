import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '../../src/upstream/http/status.ts';
import { fakeClock } from './clock.ts';
import { startFakeNode, type Behavior } from './fake-node.ts';
import { ask, callOf, startNetwork, textOf } from './support.ts';

const NOW_MS = Date.parse('2030-01-01T12:00:00Z');

describe('the cooldown that a node asks for', () => {
  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Tue, 01 Jan 2030 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Tuesday, 01-Jan-30 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Tue, 01 Jan 2030 11:00:00 GMT' }, 0],
    // The clock of the node is an hour behind.
    [
      {
        'retry-after': 'Tue, 01 Jan 2030 11:00:30 GMT',
        date: 'Tue, 01 Jan 2030 11:00:00 GMT',
      },
      30_000,
    ],
    [{}, undefined],
    [{ 'retry-after': '1.5' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': 'Tue, 99 Foo 2030' }, undefined],
    [{ 'retry-after': ['1', '2'] }, undefined],
  ])('of %j is %s ms', (headers, cooldown_ms) => {
    expect(readRetryAfter(headers, NOW_MS)).toBe(cooldown_ms);
  });
});

describe('a node that answers 429 or 503 with Retry-After', () => {
  const refuse =
    (status: number, retryAfter: string): Behavior =>
    (_request, response) =>
      void response.writeHead(status, { 'retry-after': retryAfter }).end('slow down');
  const quiet = { probe_interval_ms: 60_000 };

  it.each([429, 503])('%i is not called until the cooldown is over', async (status) => {
    const clock = fakeClock();
    const [busy, spare] = [await startFakeNode(), await startFakeNode(() => '"spare"')];
    const network = await startNetwork([busy.url, spare.url], {
      clock,
      nodes: [{ tier: 1 }, { tier: 2 }],
      limits: quiet,
    });
    busy.behave(refuse(status, '20'));
    for (let round = 0; round < 3; round += 1) {
      expect(textOf(await ask(network.call))).toBe('"spare"');
    }
    expect(busy.requests).toHaveLength(1);
    expect(network.events.filter(({ kind }) => kind === 'cooldown')).toEqual([
      { kind: 'cooldown', upstream: 'node-0', cooldown_ms: 20_000 },
    ]);
    expect(network.status()[0]).toMatchObject({ isHealthy: false, breaker: 'closed' });
    busy.behave(() => '"busy"');
    clock.pass(19_999);
    expect(textOf(await ask(network.call))).toBe('"spare"');
    clock.pass(1);
    expect(textOf(await ask(network.call))).toBe('"busy"');
  });

  it('is called for other accounts while it answers probes', async () => {
    const clock = fakeClock();
    const node = await startFakeNode();
    const network = await startNetwork([node.url], { clock, limits: quiet });
    const { signal } = new AbortController();
    const askAs = async (account: string, method: string): Promise<string> =>
      textOf(await network.call(callOf(method, '[]', { account }), signal));
    node.behave((request, response) => {
      if (request.method !== 'eth_bad') return '1';
      return refuse(503, '60')(request, response);
    });
    for (const account of ['a', 'b', 'c']) expect(await askAs(account, 'eth_bad')).toBe('status');
    for (const account of ['a', 'b', 'c']) {
      expect(await askAs(account, 'eth_good')).toBe('none');
      expect(await askAs('d', 'eth_good')).toBe('1');
    }
    expect(network.head()).toBeDefined();
    clock.pass(60_000);
    for (const account of ['a', 'b', 'c']) expect(await askAs(account, 'eth_good')).toBe('1');
    expect(network.events.filter(({ kind }) => kind === 'cooldown')).toEqual([]);
  });

  it('is not called for any account if it answers the probe so', async () => {
    const clock = fakeClock();
    const node = await startFakeNode();
    const network = await startNetwork([node.url], { clock, limits: quiet });
    const { signal } = new AbortController();
    node.behave((request, response) =>
      refuse(429, request.method === 'eth_test' ? '60' : '5')(request, response),
    );
    await network.call(callOf('eth_test', '[]', { account: 'a' }), signal);
    await expect
      .poll(() => network.events.filter(({ kind }) => kind === 'cooldown'))
      .toEqual([{ kind: 'cooldown', upstream: 'node-0', cooldown_ms: 5_000 }]);
    await network.call(callOf('eth_test', '[]', { account: 'b' }), signal);
    expect(node.requests).toHaveLength(1);
  });

  it('is not called or probed for at most a minute', async () => {
    const clock = fakeClock();
    const node = await startFakeNode();
    const other = await startFakeNode();
    const [network, watched] = [
      await startNetwork([node.url], { clock }),
      await startNetwork([other.url]),
    ];
    let probes = 0;
    node.behave((request, response) => {
      probes += 1;
      return refuse(429, '86400')(request, response);
    });
    await expect.poll(() => network.head()).toBeUndefined();
    const before = probes;
    expect(textOf(await ask(network.call))).toBe('none');
    // Another node is probed several times, as often as this one would be.
    const heads = watched.events.length;
    await expect.poll(() => watched.events.length).toBeGreaterThan(heads + 5);
    expect(probes).toBe(before);
    node.behave(() => '"back"');
    clock.pass(59_999);
    expect(textOf(await ask(network.call))).toBe('none');
    clock.pass(1);
    expect(textOf(await ask(network.call))).toBe('"back"');
  });

  it('is skipped as a partner too', async () => {
    const clock = fakeClock();
    const [own, partner] = [await startFakeNode(), await startFakeNode()];
    const network = await startNetwork([own.url], {
      clock,
      partner: partner.url,
      limits: quiet,
    });
    own.behave((_request, response) => void response.writeHead(500).end());
    partner.behave((request, response) =>
      request.method === 'eth_test' ? refuse(429, '5')(request, response) : undefined,
    );
    const call = callOf('eth_test', '[]', { forwarding: 'included' });
    const { signal } = new AbortController();
    for (let round = 0; round < 3; round += 1) {
      expect(textOf(await network.call(call, signal))).toBe('status');
    }
    expect(partner.requests).toHaveLength(1);
  });

  it('is called again at once without Retry-After', async () => {
    const node = await startFakeNode();
    const network = await startNetwork([node.url], { limits: quiet });
    node.behave((_request, response) => void response.writeHead(429).end());
    for (let round = 0; round < 3; round += 1) await ask(network.call);
    expect(node.requests).toHaveLength(3);
  });
});
