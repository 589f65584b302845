import { describe, expect, it } from 'vitest';
import { startFakeNode } from './fake-node.ts';
import { startFakeSocketNode } from './fake-socket-node.ts';
import { probeAnswer } from './probe-answer.ts';
import { ask, callOf, openAt, secretHeaders, startNetwork, textOf } from './support.ts';

/** Answers probes like a node on another chain. */
const stranger: typeof probeAnswer = (request) =>
  request.method === 'eth_chainId' ? '"0x1"' : probeAnswer(request);

const quiet = { probe_interval_ms: 60_000 };

describe('an HTTP upstream', () => {
  it('is verified once before its first calls', async () => {
    const node = await startFakeNode();
    const upstream = openAt(node.url);
    const result = Promise.withResolvers<undefined>();
    let verifications = 0;
    await upstream.start({
      verify: () => {
        verifications += 1;
        return result.promise;
      },
      onReady: () => undefined,
      onDropped: () => undefined,
    });
    const calls = [ask(upstream.call), ask(upstream.call), ask(upstream.call)];
    expect(node.requests).toHaveLength(0);
    result.resolve(undefined);
    expect((await Promise.all(calls)).map(textOf)).toEqual(['"ok"', '"ok"', '"ok"']);
    await ask(upstream.call);
    expect(verifications).toBe(1);
  });

  it('is verified again after its connections were lost', async () => {
    const node = await startFakeNode(() => '"right"');
    const network = await startNetwork([node.url], { limits: quiet });
    expect(textOf(await ask(network.call))).toBe('"right"');
    node.answerProbes(stranger);
    node.behave(({ method }, response) =>
      method === 'eth_test' ? void response.destroy() : undefined,
    );
    expect(await ask(network.call)).toMatchObject({
      kind: 'failure',
      cause: 'unhealthy',
      detail: 'wrong chain: expected 31337, got 1',
    });
    node.behave(() => '"wrong"');
    const before = node.requests.length;
    expect(textOf(await ask(network.call))).toBe('unhealthy');
    expect(node.requests).toHaveLength(before);
    node.answerProbes(probeAnswer);
    node.behave(() => '"right"');
    await expect.poll(async () => textOf(await ask(network.call))).toBe('"right"');
  });
});

describe('an HTTP upstream that closes the connection for the calls of one account', () => {
  async function rig() {
    const held: (() => void)[] = [];
    const node = await startFakeNode(({ id, method }, response) => {
      if (method === 'eth_bad') response.destroy();
      if (method === 'eth_held') held.push(() => response.end(`{"id":${id},"result":1}`));
      return method === 'eth_good' ? '"good"' : undefined;
    });
    const upstream = openAt(node.url);
    const verifications: PromiseWithResolvers<undefined>[] = [];
    await upstream.start({
      verify: () => {
        const verification = Promise.withResolvers<undefined>();
        verifications.push(verification);
        return verification.promise;
      },
      onReady: () => undefined,
      onDropped: () => undefined,
    });
    const { signal } = new AbortController();
    const callAs = async (account: string, method: string): Promise<string> =>
      textOf(await upstream.call(callOf(method, '[]', { account }), signal));
    // Several connections, so that some are left when one is lost.
    const calls = Array.from({ length: 3 }, () => callAs('good', 'eth_held'));
    verifications[0]!.resolve(undefined);
    await expect.poll(() => held.length).toBe(3);
    for (const answer of held) answer();
    await Promise.all(calls);
    return { node, verifications, callAs };
  }

  it('is verified again before further calls of this account only', async () => {
    const { node, verifications, callAs } = await rig();
    expect(await callAs('bad', 'eth_bad')).toBe('connection');
    expect(verifications).toHaveLength(2);
    const waiting = callAs('bad', 'eth_good');
    expect(await callAs('good', 'eth_good')).toBe('"good"');
    expect(node.requests).toHaveLength(5);
    verifications[1]!.resolve(undefined);
    expect(await waiting).toBe('"good"');
    expect(await callAs('bad', 'eth_good')).toBe('"good"');
    expect(verifications).toHaveLength(2);
  });

  it('is verified again before all calls when a second account loses one, too', async () => {
    const { node, verifications, callAs } = await rig();
    expect(await callAs('bad', 'eth_bad')).toBe('connection');
    expect(await callAs('second', 'eth_bad')).toBe('connection');
    const waiting = callAs('good', 'eth_good');
    expect(node.requests).toHaveLength(5);
    verifications[1]!.resolve(undefined);
    expect(await waiting).toBe('"good"');
    const next = callAs('good', 'eth_good');
    expect(verifications).toHaveLength(3);
    verifications[2]!.resolve(undefined);
    expect(await next).toBe('"good"');
  });
});

describe('an HTTP upstream that closes its connection with each answer', () => {
  it('works', async () => {
    const node = await startFakeNode((_request, response) => {
      response.setHeader('connection', 'close');
      return '1';
    });
    const network = await startNetwork([node.url], { limits: quiet });
    const calls = Array.from({ length: 8 }, () => ask(network.call));
    expect(new Set((await Promise.all(calls)).map(textOf))).toEqual(new Set(['1']));
    for (let round = 0; round < 4; round += 1) {
      expect(textOf(await ask(network.call))).toBe('1');
    }
    expect(node.requests).toHaveLength(12);
  });
});

describe('a node that repeats the secrets it was sent', () => {
  it('reveals them nowhere', async () => {
    const say = (id: number): string =>
      `{"id":${id},"error":{"code":-32000,"message":"no such key: ${secretHeaders['x-token']}"}}`;
    const node = await startFakeNode(({ id }, response) => void response.end(say(id)));
    const socket = await startFakeSocketNode();
    node.answerProbes(() => undefined);
    socket.answerProbes(() => undefined);
    socket.behave(({ id }, connection) => void connection.send(say(id)));
    const network = await startNetwork([node.url, socket.url], { limits: quiet });
    expect(network.health.map(([, , detail]) => detail)).toEqual([
      'eth_chainId: error -32000 no such key: [redacted]',
      'eth_chainId: error -32000 no such key: [redacted]',
    ]);
    const outcomes = [await ask(openAt(node.url).call), await ask(network.call)];
    expect(JSON.stringify([network.events, outcomes])).not.toMatch(/secret/);
  });
});

describe('a WebSocket upstream', () => {
  it('is verified on each connection and unhealthy when it fails', async () => {
    const node = await startFakeSocketNode(() => '"right"');
    const network = await startNetwork([node.url], { limits: quiet });
    expect(textOf(await ask(network.call))).toBe('"right"');
    node.answerProbes(stranger);
    node.behave(() => '"wrong"');
    node.cut();
    await expect
      .poll(() => network.health.map(([, isHealthy]) => isHealthy))
      .toEqual([true, false]);
    await expect.poll(() => node.handshakes.length).toBeGreaterThan(3);
    expect(textOf(await ask(network.call))).toBe('none');
    expect(node.requests).toHaveLength(1);
    node.answerProbes(probeAnswer);
    node.behave(() => '"right"');
    await expect.poll(async () => textOf(await ask(network.call))).toBe('"right"');
  });

  it('retries calls of a lost connection elsewhere, and is used again when it is back', async () => {
    const [lost, other] = [await startFakeSocketNode(), await startFakeNode(() => '"other"')];
    const network = await startNetwork([lost.url, other.url], {
      nodes: [{ tier: 1 }, { tier: 2 }],
      limits: quiet,
    });
    lost.behave(() => undefined);
    const calls = Array.from({ length: 20 }, () => ask(network.call));
    await expect.poll(() => lost.requests.length).toBe(20);
    await lost.stop();
    expect(new Set((await Promise.all(calls)).map(textOf))).toEqual(new Set(['"other"']));
    expect(textOf(await ask(network.call))).toBe('"other"');
    lost.behave(() => '"back"');
    await lost.restart();
    await expect.poll(async () => textOf(await ask(network.call))).toBe('"back"');
  });

  it('reports its head', async () => {
    const node = await startFakeSocketNode();
    const network = await startNetwork([node.url]);
    expect(network.head()).toEqual({ number: 16, gasLimit: 30_000_000n, finalized: 16 });
  });
});
