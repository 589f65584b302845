import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openUpstream } from '../../src/upstream/open-upstream.ts';
import { fakeClock } from './clock.ts';
import { startFakeSocketNode } from './fake-socket-node.ts';
import { callOf, limits, textOf } from './support.ts';

const MEDIUM_BYTES = 100_000;
const STEP_MS = 100;

/** A node that replies to no pings stands for a slow link, where replies wait behind responses. */
async function rig({ autoPong }: { readonly autoPong: boolean }) {
  const clock = fakeClock();
  const node = await startFakeSocketNode(
    ({ method }) => {
      if (method === 'eth_medium') return `"${'x'.repeat(MEDIUM_BYTES)}"`;
      return method === 'eth_good' ? '"good"' : undefined;
    },
    { autoPong },
  );
  const { startTimer } = clock;
  const options = {
    clock,
    startTimer,
    limits: { ...limits, response_bytes: 20 * MEDIUM_BYTES, upstream_heartbeat_ms: 1e9 },
  };
  const upstream = openUpstream({ url: node.url, headers: {} }, options);
  onTestFinished(() => upstream.close());
  await upstream.start({
    verify: async () => undefined,
    onReady: () => undefined,
    onDropped: () => undefined,
  });
  clock.pass(1_000);
  const { signal } = new AbortController();
  const callAs = async (account: string, method: string, params = '[]'): Promise<string> =>
    textOf(await upstream.call(callOf(method, params, { account }), signal));
  /** Passes 500 ms, in each tenth of a second of which a response arrives. */
  const receive = async (account: string, method: string): Promise<void> => {
    for (let step = 1; step <= 5; step += 1) {
      await callAs(account, method);
      clock.pass(STEP_MS);
    }
  };
  return { clock, node, callAs, receive };
}

describe('a WebSocket upstream over which smaller responses to one account arrive', () => {
  it('ends the calls of others that wait behind them on a slow link', async () => {
    const { node, callAs, receive } = await rig({ autoPong: false });
    await callAs('greedy', 'eth_medium');
    const waiting = callAs('other', 'eth_held');
    await receive('greedy', 'eth_medium');
    // A new shared connection, and one for the account.
    await expect.poll(() => node.handshakes.length).toBe(3);
    expect(await waiting).toBe('interrupted');
    expect(await callAs('other', 'eth_good')).toBe('"good"');
    expect(await callAs('greedy', 'eth_good')).toBe('"good"');
  });

  it('keeps its connection if the reply to a ping arrives', async () => {
    const { clock, node, callAs, receive } = await rig({ autoPong: true });
    let pings = 0;
    const [shared] = node.sockets;
    shared!.on('ping', () => (pings += 1));
    const ping = once(shared!, 'ping');
    await callAs('greedy', 'eth_medium');
    await ping;
    await receive('greedy', 'eth_medium');
    expect(node.handshakes).toHaveLength(1);
    // A node may refuse more of them.
    expect(pings).toBe(1);
    clock.pass(1_000);
    await callAs('greedy', 'eth_medium');
    await callAs('greedy', 'eth_medium');
    expect(pings).toBe(2);
  });

  it('ends the calls of others behind a single one that arrives slowly', async () => {
    const { clock, node, callAs } = await rig({ autoPong: false });
    const slow = callAs('greedy', 'eth_slow');
    const waiting = callAs('other', 'eth_held');
    await expect.poll(() => node.requests.length).toBe(2);
    const [shared] = node.sockets;
    const send = (text: string, fin: boolean): void => shared!.send(text, { binary: false, fin });
    /** Resolves when the part has arrived. */
    const sendPart = async (text: string): Promise<void> => {
      send(text, false);
      shared!.ping();
      await once(shared!, 'pong');
    };
    await sendPart(`{"id":${node.requests[0]!.id},"result":"${'x'.repeat(MEDIUM_BYTES)}`);
    for (let step = 1; step <= 5; step += 1) {
      await sendPart('x');
      clock.pass(STEP_MS);
    }
    await expect.poll(() => node.handshakes.length).toBe(3);
    expect(await waiting).toBe('interrupted');
    send('"}', true);
    expect(await slow).toHaveLength(MEDIUM_BYTES + 7);
  });

  it('keeps its connection if few bytes arrive before the reply', async () => {
    const { node, callAs, receive } = await rig({ autoPong: false });
    await callAs('greedy', 'eth_medium');
    await receive('greedy', 'eth_good');
    expect(await callAs('other', 'eth_good')).toBe('"good"');
    expect(node.handshakes).toHaveLength(1);
  });

  it('keeps its connection if nothing arrives for a while', async () => {
    const { clock, node, callAs } = await rig({ autoPong: false });
    await callAs('greedy', 'eth_medium');
    for (let step = 1; step <= 5; step += 1) clock.pass(STEP_MS);
    await callAs('greedy', 'eth_medium');
    expect(await callAs('other', 'eth_good')).toBe('"good"');
    expect(node.handshakes).toHaveLength(1);
  });
});

describe('a WebSocket upstream with a slow link', () => {
  it('gets the requests of an account that delays others over a connection of its own', async () => {
    const { clock, node, callAs } = await rig({ autoPong: false });
    const [shared] = node.sockets;
    const pinged = once(shared!, 'ping');
    await callAs('greedy', 'eth_good', JSON.stringify(['x'.repeat(MEDIUM_BYTES)]));
    await pinged;
    expect(node.handshakes).toHaveLength(1);
    for (let step = 1; step <= 5; step += 1) clock.pass(STEP_MS);
    await expect.poll(() => node.handshakes.length).toBe(2);
    expect(await callAs('greedy', 'eth_good')).toBe('"good"');
    expect(await callAs('other', 'eth_good')).toBe('"good"');
    expect([shared!.readyState, node.handshakes.length]).toEqual([shared!.OPEN, 2]);
  });
});
