import { describe, expect, it } from 'vitest';
import { startFakeNode } from './fake-node.ts';
import { startFakeSocketNode } from './fake-socket-node.ts';
import { probeAnswer } from './probe-answer.ts';
import { ask, openAt, secretHeaders, startNetwork, textOf } from './support.ts';

/** What a node of another chain tells of itself. */
const stranger: typeof probeAnswer = (request) =>
  request.method === 'eth_chainId' ? '"0x1"' : probeAnswer(request);

const quiet = { probe_interval_ms: 60_000 };

describe('an HTTP upstream', () => {
  it('proves who it is before it serves, once for all calls that wait', async () => {
    const node = await startFakeNode();
    const upstream = openAt(node.url);
    const verdict = Promise.withResolvers<undefined>();
    let proofs = 0;
    await upstream.start({
      prove: () => {
        proofs += 1;
        return verdict.promise;
      },
      onReady: () => undefined,
    });
    const calls = [ask(upstream.call), ask(upstream.call), ask(upstream.call)];
    expect(node.requests).toHaveLength(0);
    verdict.resolve(undefined);
    expect((await Promise.all(calls)).map(textOf)).toEqual(['"ok"', '"ok"', '"ok"']);
    await ask(upstream.call);
    expect(proofs).toBe(1);
  });

  it('proves it again after its connections were lost, before it serves again', async () => {
    const node = await startFakeNode(() => '"right"');
    const network = await startNetwork([node.url], { limits: quiet });
    expect(textOf(await ask(network.call))).toBe('"right"');
    node.tell(stranger);
    node.behave(({ method }, response) =>
      method === 'eth_test' ? void response.destroy() : undefined,
    );
    expect(await ask(network.call)).toMatchObject({
      kind: 'failure',
      cause: 'unhealthy',
      detail: 'it is of another chain: 1, not 31337',
    });
    node.behave(() => '"wrong"');
    const before = node.requests.length;
    expect(textOf(await ask(network.call))).toBe('unhealthy');
    expect(node.requests).toHaveLength(before);
    node.tell(probeAnswer);
    node.behave(() => '"right"');
    await expect.poll(async () => textOf(await ask(network.call))).toBe('"right"');
  });
});

describe('an HTTP upstream that closes its connection with each answer', () => {
  it('serves all the same', async () => {
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

describe('an upstream that repeats the secrets it was sent', () => {
  it('has them told nowhere', async () => {
    const say = (id: number): string =>
      `{"id":${id},"error":{"code":-32000,"message":"no such key: ${secretHeaders['x-token']}"}}`;
    const node = await startFakeNode(({ id }, response) => void response.end(say(id)));
    const socket = await startFakeSocketNode();
    node.tell(() => undefined);
    socket.tell(() => undefined);
    socket.behave(({ id }, connection) => void connection.send(say(id)));
    const network = await startNetwork([node.url, socket.url], { limits: quiet });
    expect(network.health.map(([, , detail]) => detail)).toEqual([
      'eth_chainId: the node answers -32000 no such key: [redacted]',
      'eth_chainId: the node answers -32000 no such key: [redacted]',
    ]);
    const outcomes = [await ask(openAt(node.url).call), await ask(network.call)];
    expect(JSON.stringify([network.events, outcomes])).not.toMatch(/secret/);
  });
});

describe('a WebSocket upstream', () => {
  it('proves who it is at each dial; the network is told when it cannot', async () => {
    const node = await startFakeSocketNode(() => '"right"');
    const network = await startNetwork([node.url], { limits: quiet });
    expect(textOf(await ask(network.call))).toBe('"right"');
    node.tell(stranger);
    node.behave(() => '"wrong"');
    node.cut();
    await expect.poll(() => network.health.map(([, isFit]) => isFit)).toEqual([true, false]);
    await expect.poll(() => node.handshakes.length).toBeGreaterThan(3);
    expect(textOf(await ask(network.call))).toBe('none');
    expect(node.requests).toHaveLength(1);
    node.tell(probeAnswer);
    node.behave(() => '"right"');
    await expect.poll(async () => textOf(await ask(network.call))).toBe('"right"');
  });

  it('that is lost has its calls made elsewhere, and is asked again when it is back', async () => {
    const [lost, other] = [await startFakeSocketNode(), await startFakeNode(() => '"other"')];
    const network = await startNetwork([lost.url, other.url], {
      terms: [{ tier: 1 }, { tier: 2 }],
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

  it('tells the network its head like any other', async () => {
    const node = await startFakeSocketNode();
    const network = await startNetwork([node.url]);
    expect(network.head()).toEqual({ number: 16, gasLimit: 30_000_000n, finalized: 16 });
  });
});
