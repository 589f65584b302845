import { describe, expect, it, onTestFinished } from 'vitest';
import { openUpstream } from '../../src/upstream/open-upstream.ts';
import { fakeClock } from './clock.ts';
import { startFakeSocketNode, type SocketBehavior } from './fake-socket-node.ts';
import { callOf, limits, startNetwork, textOf } from './support.ts';

describe('a WebSocket upstream that closes the connection for the calls of one account', () => {
  async function rig() {
    const clock = fakeClock();
    let held: (() => void)[] = [];
    let cutLate = (): void => undefined;
    const node = await startFakeSocketNode(({ id, method }, socket) => {
      if (method === 'eth_bad') socket.terminate();
      if (method === 'eth_late') cutLate = () => socket.terminate();
      if (method === 'eth_held') held.push(() => socket.send(`{"id":${id},"result":"held"}`));
      return method === 'eth_good' ? '"good"' : undefined;
    });
    const upstream = openUpstream(
      { url: node.url, headers: {} },
      { clock, startTimer: clock.startTimer, limits: { ...limits, upstream_heartbeat_ms: 1e9 } },
    );
    onTestFinished(() => upstream.close());
    const states: boolean[] = [];
    await upstream.start({
      verify: async () => undefined,
      onReady: (isReady) => states.push(isReady),
      onDropped: () => undefined,
    });
    const { signal } = new AbortController();
    const callAs = async (account: string, method: string, params = '[]'): Promise<string> =>
      textOf(await upstream.call(callOf(method, params, { account }), signal));
    return {
      clock,
      node,
      states,
      callAs,
      release() {
        for (const answer of held) answer();
        held = [];
      },
      cutLate: () => cutLate(),
      /** Waits until a call of the account is answered, reconnecting on the way. */
      async reconnect(account: string) {
        await expect
          .poll(async () => {
            clock.pass(100);
            return callAs(account, 'eth_good');
          })
          .toBe('"good"');
      },
    };
  }

  it('loses only the calls of this account from then on', async () => {
    const { node, states, callAs, reconnect, release } = await rig();
    const innocent = callAs('innocent', 'eth_held');
    expect(await callAs('bad', 'eth_bad')).toBe('connection');
    expect(await innocent).toBe('connection');
    await reconnect('other');
    for (let round = 0; round < 5; round += 1) {
      const requests = node.requests.length;
      const others = [callAs('other', 'eth_held'), callAs('innocent', 'eth_good')];
      await expect.poll(() => node.requests.length).toBe(requests + 2);
      await reconnect('bad');
      expect(await callAs('bad', 'eth_bad')).toBe('connection');
      release();
      expect(await Promise.all(others)).toEqual(['"held"', '"good"']);
    }
    expect(states).toEqual([true, false, true]);
  });

  it('gives an account that fills the connection one of its own', async () => {
    const { node, callAs } = await rig();
    const [shared] = node.sockets;
    shared!.pause();
    const large = `["${'x'.repeat(2_000_000)}"]`;
    const calls = Array.from({ length: 4 }, () => callAs('greedy', 'eth_good', large));
    expect(await callAs('greedy', 'eth_good')).toBe('"good"');
    // What is on the shared connection has not arrived; how much it holds depends on the system.
    expect(node.requests.length).toBeLessThan(5);
    shared!.resume();
    expect(await callAs('other', 'eth_good')).toBe('"good"');
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['"good"']));
    expect(node.sockets.size).toBe(2);
  });

  it('has a connection for this account until a minute passes without a loss', async () => {
    const { clock, node, callAs, reconnect } = await rig();
    expect(await callAs('bad', 'eth_bad')).toBe('connection');
    await reconnect('other');
    await reconnect('bad');
    expect(await callAs('bad', 'eth_bad')).toBe('connection');
    await reconnect('bad');
    expect(node.sockets.size).toBe(2);
    clock.pass(60_000);
    expect(await callAs('bad', 'eth_good')).toBe('"good"');
    expect(node.sockets.size).toBe(2);
    clock.pass(60_000);
    await expect.poll(() => node.sockets.size).toBe(1);
    expect(await callAs('bad', 'eth_good')).toBe('"good"');
  });

  it.each([1, 2, 3])(
    'serves all accounts at a node that allows %i of its connections',
    async (max_sockets) => {
      const { node, states, callAs, reconnect } = await rig();
      node.allowSockets(max_sockets);
      const accounts = ['a', 'b', 'c', 'd'];
      const calls = accounts.map((account) => callAs(account, 'eth_held'));
      expect(await callAs('bad', 'eth_bad')).toBe('connection');
      expect(new Set(await Promise.all(calls))).toEqual(new Set(['connection']));
      for (const account of ['other', ...accounts, 'bad']) await reconnect(account);
      expect(states).toEqual([true, false, true]);
      expect(node.sockets.size).toBe(max_sockets);
    },
  );

  it('closes connections of accounts when the node refuses the shared one', async () => {
    const { node, callAs, reconnect } = await rig();
    expect(await callAs('bad', 'eth_bad')).toBe('connection');
    await reconnect('other');
    await reconnect('bad');
    const [shared, own] = node.sockets;
    node.allowSockets(1);
    shared!.terminate();
    await reconnect('other');
    await reconnect('bad');
    expect(own!.readyState).toBe(own!.CLOSED);
    expect(node.sockets.size).toBe(1);
  });

  it('has at most 16 connections of accounts, first for those of the latest calls', async () => {
    const { node, states, callAs, reconnect } = await rig();
    const calls = Array.from({ length: 40 }, (_, index) => callAs(`account ${index}`, 'eth_held'));
    expect(await callAs('bad', 'eth_bad')).toBe('connection');
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['connection']));
    await reconnect('other');
    await expect.poll(() => node.sockets.size).toBe(17);
    expect(node.handshakes).toHaveLength(18);
    expect(await callAs('bad', 'eth_bad')).toBe('connection');
    expect(await callAs('account 0', 'eth_good')).toBe('"good"');
    expect(states).toEqual([true, false, true]);
  });

  it('finds the account among any number of others that call at the same time', async () => {
    const { node, callAs, reconnect, cutLate, release } = await rig();
    const names = Array.from({ length: 40 }, (_, index) => `account ${index}`);
    // The calls of all others are sent after the one that makes the node close the connection.
    const lose = async (): Promise<number> => {
      const before = node.requests.length;
      const bad = callAs('bad', 'eth_late');
      const others = names.map((account) => callAs(account, 'eth_held'));
      await expect.poll(() => node.requests.length).toBe(before + 41);
      cutLate();
      expect(await bad).toBe('connection');
      release();
      const lost = (await Promise.all(others)).filter((text) => text === 'connection');
      for (const account of [...names, 'bad', 'new']) await reconnect(account);
      return lost.length;
    };
    expect([await lose(), await lose(), await lose(), await lose()]).toEqual([40, 24, 24, 0]);
  });
});

it('a call that closes the connection of each node takes those of other accounts from one only', async () => {
  const held: (() => void)[] = [];
  const behavior: SocketBehavior = ({ id, method }, socket) => {
    if (method === 'eth_bad') socket.terminate();
    if (method === 'eth_held') held.push(() => socket.send(`{"id":${id},"result":"held"}`));
    return undefined;
  };
  const nodes = await Promise.all([startFakeSocketNode(behavior), startFakeSocketNode(behavior)]);
  const network = await startNetwork(nodes.map(({ url }) => url));
  const { signal } = new AbortController();
  const callAs = async (account: string, method: string): Promise<string> =>
    textOf(await network.call(callOf(method, '[]', { account }), signal));
  // More than get a connection of their own.
  const calls = Array.from({ length: 40 }, (_, index) => callAs(`innocent${index}`, 'eth_held'));
  await expect.poll(() => held.length).toBe(40);
  const shared = nodes.map(({ sockets: [socket] }) => socket!);
  await callAs('bad', 'eth_bad');
  expect(shared.map(({ readyState, OPEN }) => readyState === OPEN).toSorted()).toEqual([
    false,
    true,
  ]);
  let isAnswered = false;
  const answers = Promise.all(calls).finally(() => (isAnswered = true));
  await expect.poll(() => (held.forEach((answer) => answer()), isAnswered)).toBe(true);
  expect(await answers).toEqual(Array(40).fill('"held"'));
});
