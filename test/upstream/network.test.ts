import { describe, expect, it } from 'vitest';
import { nodeError, startFakeNode } from './fake-node.ts';
import { ask, startNetwork, textOf } from './support.ts';

describe('a network', () => {
  it('answers from its first upstream, and tells the newest head', async () => {
    const [first, second] = [await startFakeNode(), await startFakeNode()];
    const network = await startNetwork([first.url, second.url]);
    expect(await ask(network.call)).toMatchObject({ kind: 'result' });
    expect(network.head()).toEqual({ number: 16, gasLimit: 30_000_000n, finalized: 16 });
    expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
  });

  it('spreads calls by what is in flight', async () => {
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
    const first = await startFakeNode(({ method }) =>
      method === 'eth_test' ? answers[0].promise : '',
    );
    const second = await startFakeNode(({ method }) =>
      method === 'eth_test' ? answers[1].promise : '',
    );
    const network = await startNetwork([first.url, second.url]);
    const calls = [ask(network.call), ask(network.call), ask(network.call), ask(network.call)];
    await expect.poll(() => [first.requests.length, second.requests.length]).toEqual([2, 2]);
    for (const { resolve } of answers) resolve('1');
    await Promise.all(calls);
  });

  it('asks another upstream when one fails as a machine', async () => {
    for (const behaviour of [
      nodeError(-32005, 'too many requests'),
      nodeError(-32000, 'header not found'),
      (_: unknown, response: { destroy(): unknown }) => void response.destroy(),
    ]) {
      const [first, second] = [await startFakeNode(), await startFakeNode(() => '"second"')];
      const network = await startNetwork([first.url, second.url], {
        limits: { probe_interval_ms: 60_000 },
      });
      first.behave(behaviour);
      expect(await ask(network.call)).toMatchObject({ kind: 'result' });
      expect(second.requests).toHaveLength(1);
      expect(network.outcomes.map(([name]) => name)).toEqual(['node-0', 'node-1']);
    }
  });

  it("never asks another upstream after a node's answer: null, or an error of its own", async () => {
    for (const behaviour of [() => 'null', nodeError(-32000, 'insufficient funds')]) {
      const [first, second] = [await startFakeNode(), await startFakeNode()];
      const network = await startNetwork([first.url, second.url], {
        limits: { probe_interval_ms: 60_000 },
      });
      first.behave(behaviour);
      await ask(network.call);
      expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
    }
  });

  it("lets a node's error leave when no other upstream is left, unless it only says unhealthy", async () => {
    const node = await startFakeNode();
    const network = await startNetwork([node.url], {
      family: 'svm',
      limits: { probe_interval_ms: 60_000 },
    });
    node.behave(nodeError(-32016, 'Minimum context slot has not been reached', { contextSlot: 1 }));
    expect(await ask(network.call)).toMatchObject({ kind: 'error', error: { code: -32016 } });
    node.behave(nodeError(-32005, 'Node is unhealthy'));
    expect(await ask(network.call)).toMatchObject({ kind: 'failure', cause: 'unhealthy' });
  });

  it('tries a broken connection once more where there is no other upstream', async () => {
    const node = await startFakeNode();
    const network = await startNetwork([node.url]);
    let breaks = 1;
    node.behave(({ method }, response) => {
      if (method === 'eth_test' && breaks-- > 0) response.destroy();
      return '1';
    });
    expect(await ask(network.call)).toMatchObject({ kind: 'result' });
    breaks = 10;
    expect(await ask(network.call)).toMatchObject({ kind: 'failure', cause: 'connection' });
    expect(node.requests).toHaveLength(4);
  });

  it('bounds each try', async () => {
    const [first, second] = [await startFakeNode(), await startFakeNode()];
    const network = await startNetwork([first.url, second.url], {
      terms: [{ tier: 1 }, { tier: 2 }],
      limits: { try_ms: 60, probe_interval_ms: 60_000 },
    });
    first.behave(() => new Promise(() => undefined));
    await expect.poll(async () => textOf(await ask(network.call))).toBe('"ok"');
    expect(network.outcomes[0]).toEqual(['node-0', 'timeout']);
  });

  it('bounds the call as a whole', async () => {
    const nodes = await Promise.all([1, 2, 3].map(() => startFakeNode()));
    const network = await startNetwork(
      nodes.map(({ url }) => url),
      { limits: { try_ms: 10_000, call_deadline_ms: 150, probe_interval_ms: 60_000 } },
    );
    for (const node of nodes) node.behave(() => new Promise(() => undefined));
    expect(await ask(network.call)).toMatchObject({ kind: 'failure', cause: 'timeout' });
    expect(nodes.map(({ requests }) => requests.length)).toEqual([1, 0, 0]);
  });

  it('has no head, and no upstream to ask, while the only node cannot tell its head', async () => {
    const node = await startFakeNode();
    await node.stop();
    const network = await startNetwork([node.url]);
    expect(network.head()).toBeUndefined();
    expect(await ask(network.call)).toMatchObject({ kind: 'failure', cause: 'none' });
    expect(network.health).toEqual([['node-0', false, expect.stringContaining('eth_chainId')]]);
  });

  it('loses an upstream that fails its probes, and takes it back once it answers', async () => {
    const node = await startFakeNode();
    const network = await startNetwork([node.url]);
    node.behave((_request, response) => void response.writeHead(500).end());
    await expect.poll(() => network.head()).toBeUndefined();
    expect(await ask(network.call)).toMatchObject({ cause: 'none' });
    node.behave(() => '1');
    await expect.poll(() => network.head()).toBeDefined();
    expect(network.health.map(([, isFit]) => isFit)).toEqual([true, false, true]);
  });

  it('never serves from a node of another chain', async () => {
    const node = await startFakeNode();
    const network = await startNetwork([node.url], { identity: '1' });
    expect(await ask(network.call)).toMatchObject({ cause: 'none' });
    expect(network.health[0]![2]).toContain('another chain: 31337');
    const right = await startNetwork([node.url], { identity: '31337' });
    expect(await ask(right.call)).toMatchObject({ kind: 'result' });
  });

  it('holds upstreams to the identity of the first when none is configured', async () => {
    const [first, second] = [await startFakeNode(), await startFakeNode()];
    second.behave(({ method, id }, response) => {
      if (method === 'eth_chainId') response.end(`{"id":${id},"result":"0x1"}`);
      return '1';
    });
    const network = await startNetwork([first.url]);
    expect(network.health).toEqual([['node-0', true, '']]);
    const both = await startNetwork([first.url, second.url]);
    expect(both.health.filter(([, isFit]) => !isFit)).toHaveLength(1);
  });

  it('of the svm family is asked for its health, slot and genesis hash', async () => {
    const node = await startFakeNode();
    const network = await startNetwork([node.url], { family: 'svm', identity: 'Genesis111' });
    expect(network.head()).toEqual({ number: 1000, gasLimit: null, finalized: 1000 });
  });
});
