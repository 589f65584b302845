import { describe, expect, it } from 'vitest';
import { nodeError, startFakeNode } from './fake-node.ts';
import { ask, startNetwork, textOf } from './support.ts';

describe('a network', () => {
  it('answers from its first node and reports the latest head', async () => {
    const [first, second] = [await startFakeNode(), await startFakeNode()];
    const network = await startNetwork([first.url, second.url]);
    expect(await ask(network.call)).toMatchObject({ kind: 'result' });
    expect(network.head()).toEqual({ number: 16, gasLimit: 30_000_000n, finalized: 16 });
    expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
  });

  it('distributes calls by calls in flight', async () => {
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

  it('calls another node when one fails', async () => {
    for (const behavior of [
      nodeError(-32005, 'too many requests'),
      nodeError(-32000, 'header not found'),
      (_: unknown, response: { destroy(): unknown }) => void response.destroy(),
    ]) {
      const [first, second] = [await startFakeNode(), await startFakeNode(() => '"second"')];
      const network = await startNetwork([first.url, second.url], {
        limits: { probe_interval_ms: 60_000 },
      });
      first.behave(behavior);
      expect(await ask(network.call)).toMatchObject({ kind: 'result' });
      expect(second.requests).toHaveLength(1);
      expect(network.outcomes.map(([name]) => name)).toEqual(['node-0', 'node-1']);
    }
  });

  it('does not call another node after null or an error about the call', async () => {
    for (const behavior of [() => 'null', nodeError(-32000, 'insufficient funds')]) {
      const [first, second] = [await startFakeNode(), await startFakeNode()];
      const network = await startNetwork([first.url, second.url], {
        limits: { probe_interval_ms: 60_000 },
      });
      first.behave(behavior);
      await ask(network.call);
      expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
    }
  });

  it('returns the error of the last node unless it only means unhealthy', async () => {
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

  it('retries a broken connection once when there is no other node', async () => {
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

  it('bounds each attempt', async () => {
    const [first, second] = [await startFakeNode(), await startFakeNode()];
    const network = await startNetwork([first.url, second.url], {
      nodes: [{ tier: 1 }, { tier: 2 }],
      limits: { attempt_ms: 60, probe_interval_ms: 60_000 },
    });
    first.behave(() => new Promise(() => undefined));
    await expect.poll(async () => textOf(await ask(network.call))).toBe('"ok"');
    expect(network.outcomes[0]).toEqual(['node-0', 'timeout']);
  });

  it('bounds the whole call', async () => {
    const nodes = await Promise.all([1, 2, 3].map(() => startFakeNode()));
    const network = await startNetwork(
      nodes.map(({ url }) => url),
      { limits: { attempt_ms: 10_000, call_deadline_ms: 500, probe_interval_ms: 60_000 } },
    );
    for (const node of nodes) node.behave(() => new Promise(() => undefined));
    expect(await ask(network.call)).toMatchObject({ kind: 'failure', cause: 'timeout' });
    expect(nodes.map(({ requests }) => requests.length)).toEqual([1, 0, 0]);
  });

  it('has no head and no healthy node while its only node fails its probes', async () => {
    const node = await startFakeNode();
    await node.stop();
    const network = await startNetwork([node.url]);
    expect(network.head()).toBeUndefined();
    expect(await ask(network.call)).toMatchObject({ kind: 'failure', cause: 'none' });
    expect(network.health).toEqual([['node-0', false, expect.stringContaining('eth_chainId')]]);
  });

  it('drops a node that fails its probes until it answers again', async () => {
    const node = await startFakeNode();
    const network = await startNetwork([node.url]);
    node.behave((_request, response) => void response.writeHead(500).end());
    await expect.poll(() => network.head()).toBeUndefined();
    expect(await ask(network.call)).toMatchObject({ cause: 'none' });
    node.behave(() => '1');
    await expect.poll(() => network.head()).toBeDefined();
    expect(network.health.map(([, isHealthy]) => isHealthy)).toEqual([true, false, true]);
  });

  it('never uses a node on another chain', async () => {
    const node = await startFakeNode();
    const network = await startNetwork([node.url], { identity: '1' });
    expect(await ask(network.call)).toMatchObject({ cause: 'none' });
    expect(network.health[0]![2]).toBe('wrong chain: expected 1, got 31337');
    const right = await startNetwork([node.url], { identity: '31337' });
    expect(await ask(right.call)).toMatchObject({ kind: 'result' });
  });

  it('compares nodes to the chain of the first when none is configured', async () => {
    const [first, second] = [await startFakeNode(), await startFakeNode()];
    second.behave(({ method, id }, response) => {
      if (method === 'eth_chainId') response.end(`{"id":${id},"result":"0x1"}`);
      return '1';
    });
    const network = await startNetwork([first.url]);
    expect(network.health).toEqual([['node-0', true, '']]);
    const both = await startNetwork([first.url, second.url]);
    expect(both.health.filter(([, isHealthy]) => !isHealthy)).toHaveLength(1);
  });

  it('probes health, slot and genesis hash in the svm family', async () => {
    const node = await startFakeNode();
    const network = await startNetwork([node.url], { family: 'svm', identity: 'Genesis111' });
    expect(network.head()).toEqual({ number: 1000, gasLimit: null, finalized: 1000 });
  });
});
