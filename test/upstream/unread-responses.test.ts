import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { NEVER } from '../../src/time/cancellation.ts';
import type { MessageTurns, Senders, Work } from '../../src/time/message-turns.ts';
import { systemClock } from '../../src/time/clock.ts';
import { createNetwork, type Network } from '../../src/upstream/network.ts';
import { openUpstream } from '../../src/upstream/open-upstream.ts';
import type { StreamingOutcome, UpstreamCall } from '../../src/upstream/upstream.ts';
import { withTimeLimit } from '../../src/upstream/with-timeout.ts';
import { startFakeNode } from './fake-node.ts';
import { callOf, limits, textOf } from './support.ts';

describe('the time of an attempt', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** An attempt that may take 100 ms, at calls with this much time. */
  function attempt(limit_ms: number, calls?: UpstreamCall['calls']) {
    const sent: UpstreamCall[] = [];
    const timed = withTimeLimit(
      (call) => {
        sent.push(...(call.calls?.map((each) => each.call) ?? [call]));
        return new Promise(() => undefined);
      },
      { attempt_ms: 100, monotonic_ms: () => Date.now() },
    );
    const outcomes: StreamingOutcome[] = [];
    const call = { ...callOf('m', '[]'), ...(calls && { calls }) };
    void timed(call, NEVER, limit_ms).then((outcome) => outcomes.push(outcome));
    return { sent, outcomes };
  }

  it('stops while the response waits for the turn of its readers', async () => {
    const { sent, outcomes } = attempt(1_000);
    const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await vi.advanceTimersByTimeAsync(60);
    for (const { promise } of turns) sent[0]!.onWaiting!(promise);
    await vi.advanceTimersByTimeAsync(500);
    turns[0]!.resolve();
    await vi.advanceTimersByTimeAsync(200);
    turns[1]!.resolve();
    await vi.advanceTimersByTimeAsync(39);
    expect(outcomes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(outcomes).toEqual([
      { kind: 'failure', cause: 'timeout', detail: 'no response within 100 ms' },
    ]);
  });

  it('ends at the deadline of the call, which shows nothing about the node', async () => {
    const { outcomes } = attempt(60);
    await vi.advanceTimersByTimeAsync(60);
    expect(outcomes).toMatchObject([{ cause: 'timeout', isCutShort: true }]);
  });

  it('ends as unread at the deadline while the response waits', async () => {
    const { sent, outcomes } = attempt(1_000);
    sent[0]!.onWaiting!(new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(999);
    expect(outcomes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(outcomes).toMatchObject([{ cause: 'unread' }]);
  });

  it('ends as unread only for the calls of a batch whose responses wait', async () => {
    const calls = [1, 2].map(() => ({ call: callOf('m', '[]'), outcome: undefined }));
    const { sent, outcomes } = attempt(1_000, calls);
    sent[1]!.onWaiting!(new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(outcomes).toMatchObject([{ cause: 'timeout', isCutShort: true }]);
    expect(calls).toMatchObject([{ outcome: undefined }, { outcome: { cause: 'unread' } }]);
  });
});

describe('a large response that waits for the turn of its account', () => {
  /** A network before a node with large responses, which are read when the test allows it. */
  async function rig(call_deadline_ms: number) {
    const waiting: Work[] = [];
    const turns = {
      run: (_: Senders, work: Work) => waiting.push(work),
      wait: () => undefined,
    } as unknown as MessageTurns;
    const result = `"${'x'.repeat(20_000)}"`;
    const node = await startFakeNode(() => result);
    const bounds = { ...limits, probe_interval_ms: 60_000, attempt_ms: 2_000, call_deadline_ms };
    const address = { url: node.url, headers: {} };
    const network: Network = createNetwork({
      family: 'evm',
      identity: undefined,
      upstreams: [{ name: 'a', upstream: openUpstream(address, { limits: bounds, turns }) }],
      limits: { ...bounds, breaker_attempts: 4, breaker_failures: 2 },
      observe: () => undefined,
    });
    onTestFinished(() => network.stop());
    await network.start();
    const ask = (account: string): Promise<StreamingOutcome> =>
      network.stream(callOf('eth_test', '[]', { account }), NEVER);
    return { node, network, waiting, ask, result };
  }

  it('is read even if the time of the attempt is over', async () => {
    const { waiting, ask, result } = await rig(60_000);
    const asked = ask('a');
    await expect.poll(() => waiting.length).toBe(1);
    const start_ms = systemClock.monotonic_ms();
    await expect.poll(() => systemClock.monotonic_ms() - start_ms).toBeGreaterThan(2_000);
    while (waiting[0]!() === 'unfinished');
    expect(textOf(await asked)).toBe(result);
  });

  it('ends at the deadline of its call, without another attempt or a failure of the node', async () => {
    const { node, network, ask } = await rig(4_000);
    const outcomes = await Promise.all(['a', 'a', 'b', 'b'].map(ask));
    expect(outcomes.map(textOf)).toEqual(['unread', 'unread', 'unread', 'unread']);
    expect(node.requests).toHaveLength(4);
    expect(network.status()).toMatchObject([{ breaker: 'closed' }]);
  });
});
