import { expect, it } from 'vitest';
import { fakeClock } from './clock.ts';
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
