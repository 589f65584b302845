import { expect, it } from 'vitest';
import type { Socket } from 'node:net';
import { fakeClock } from './clock.ts';
import { startFakeNode } from './fake-node.ts';
import { startFakeSocketNode, type SocketBehavior } from './fake-socket-node.ts';
import { callOf, startNetwork, textOf } from './support.ts';

it.each([1, 2])(
  'calls of others wait until one is back when an account ends the connections to all of %i nodes',
  async (count) => {
    let isLost = false;
    let held = 0;
    const behavior: SocketBehavior = ({ method }, socket) => {
      if (method === 'eth_bad') {
        isLost = true;
        socket.terminate();
      }
      if (method === 'eth_held') held += 1;
      return method === 'eth_good' || (method === 'eth_held' && isLost) ? '"good"' : undefined;
    };
    const nodes = await Promise.all(
      Array.from({ length: count }, () => startFakeSocketNode(behavior)),
    );
    // Nothing connects again until it passes.
    const connectionClock = fakeClock();
    const network = await startNetwork(
      nodes.map(({ url }) => url),
      { connectionClock, limits: { probe_interval_ms: 60_000 } },
    );
    const { signal } = new AbortController();
    const callAs = (account: string, method: string, id = 0): Promise<string> =>
      network.call(callOf(method, `[${id}]`, { account }), signal).then(textOf);
    const waiting = nodes.map((_, index) => callAs('other', 'eth_held', index));
    await expect.poll(() => held).toBe(count);
    const bad = nodes.map((_, index) => callAs('bad', 'eth_bad', index));
    await expect.poll(() => network.status().some(({ isHealthy }) => isHealthy)).toBe(false);
    let answer: string | undefined;
    void callAs('other', 'eth_good').then((text) => (answer = text));
    await expect.poll(() => (connectionClock.pass(100), answer)).toBe('"good"');
    expect(await Promise.all(waiting)).toEqual(nodes.map(() => '"good"'));
    expect(await Promise.all(bad)).toEqual(nodes.map(() => 'connection'));
    expect(network.events.filter(({ kind }) => kind === 'breaker')).toEqual([]);
  },
);

it('an account at whose calls HTTP nodes reset all connections does not stop them for others', async () => {
  let held = 0;
  const startResettingNode = async (): Promise<URL> => {
    const sockets = new Set<Socket>();
    const node = await startFakeNode(({ method }, { socket }) => {
      sockets.add(socket!);
      if (method === 'eth_held') held += 1;
      if (method === 'eth_bad') {
        for (const each of sockets) each.resetAndDestroy();
        sockets.clear();
      }
      return method === 'eth_good' ? '"good"' : undefined;
    });
    return node.url;
  };
  const urls = await Promise.all([startResettingNode(), startResettingNode()]);
  const network = await startNetwork(urls, { limits: { probe_interval_ms: 60_000 } });
  const { signal } = new AbortController();
  let calls = 0;
  const callAs = (account: string, method: string): Promise<string> =>
    network.call(callOf(method, `[${(calls += 1)}]`, { account }), signal).then(textOf);
  for (let round = 0; round < 6; round += 1) {
    held = 0;
    const waiting = ['a', 'b'].flatMap((account) => [
      callAs(account, 'eth_held'),
      callAs(account, 'eth_held'),
    ]);
    await expect.poll(() => held).toBe(4);
    // Some of the calls in flight may be retried only after the last reset.
    for (let resets = 0; resets < 3; resets += 1) await callAs('bad', 'eth_bad');
    await Promise.all(waiting);
    expect(await Promise.all(['a', 'b'].map((name) => callAs(name, 'eth_good')))).toEqual([
      '"good"',
      '"good"',
    ]);
  }
  expect(network.events.filter(({ kind }) => kind === 'breaker')).toEqual([]);
});
