import { expect, it } from 'vitest';
import { withRequestSize } from '../../src/upstream/socket/with-request-size.ts';
import { NEVER } from '../../src/time/cancellation.ts';
import { failure, type StreamingOutcome } from '../../src/upstream/upstream.ts';
import { fakeClock } from './clock.ts';
import { startFakeSocketNode } from './fake-socket-node.ts';
import { callOf, startNetwork, textOf } from './support.ts';

const paramsOf = (bytes: number): string => `["${'x'.repeat(bytes - 4)}"]`;

/** A node that closes its connection at calls of more than so many bytes, and gets batches without such calls. */
function open(max_bytes: number) {
  const clock = fakeClock();
  const node = { max_bytes, received: 0 };
  const oversized = { ...failure('connection', 'closed with 1009'), isOversized: true } as const;
  const answer: StreamingOutcome = { kind: 'result', result: Buffer.from('"ok"') };
  const call = withRequestSize(
    async (each) => {
      node.received += 1;
      const sent = each.calls ?? [];
      expect(sent.filter((one) => one.call.params.length > node.max_bytes)).toEqual([]);
      return each.params.length > node.max_bytes ? oversized : answer;
    },
    () => clock.monotonic_ms(),
  );
  const send = async (bytes: number): Promise<string> =>
    textOf(await call(callOf('eth_test', paramsOf(bytes)), NEVER));
  return { clock, node, call, send };
}

it('a size that was too large is not sent again for ten minutes', async () => {
  const { clock, node, send } = open(100_000);
  expect([await send(200_000), await send(200_000)]).toEqual(['connection', 'status']);
  expect(node.received).toBe(1);
  clock.pass(600_000);
  expect(await send(200_000)).toBe('connection');
});

it('the limit is found after few lost connections, and answered sizes stay allowed', async () => {
  const { node, send } = open(100_000);
  expect(await send(99_000)).toBe('"ok"');
  node.received = 0;
  for (let bytes = 200_000; bytes > 100_000; bytes -= 1_000) await send(bytes);
  expect(node.received).toBeLessThan(5);
  expect(await send(99_000)).toBe('"ok"');
  // The node has a new configuration.
  node.max_bytes = 50_000;
  expect([await send(99_000), await send(80_000)]).toEqual(['connection', 'status']);
});

it('small calls are always sent, and only those calls of a batch that are not too large', async () => {
  const { node, call, send } = open(10_000);
  expect([await send(12_000), await send(12_000)]).toEqual(['connection', 'connection']);
  node.max_bytes = 50_000;
  expect(await send(60_000)).toBe('connection');
  const calls = [60_000, 20].map((bytes) => ({
    call: callOf('eth_test', paramsOf(bytes)),
    outcome: undefined,
  }));
  expect(textOf(await call({ ...callOf('eth_test', '[]'), calls }, NEVER))).toBe('"ok"');
  expect(calls.map(({ outcome }) => outcome)).toEqual([
    expect.objectContaining({ cause: 'status' }),
    undefined,
  ]);
});

it('an account with too large calls ends a connection of a node once', async () => {
  const node = await startFakeSocketNode(() => '"ok"', { maxPayload: 50_000 });
  node.allowSockets(1);
  const network = await startNetwork([node.url], { limits: { probe_interval_ms: 60_000 } });
  const { signal } = new AbortController();
  const callAs = async (account: string, bytes: number): Promise<string> =>
    textOf(await network.stream(callOf('eth_test', paramsOf(bytes), { account }), signal));
  for (let round = 0; round < 3; round += 1) {
    expect(await callAs('large', 100_000)).toBe('status');
    expect(await callAs('other', 1_000)).toBe('"ok"');
  }
  expect(node.handshakes).toHaveLength(2);
});
