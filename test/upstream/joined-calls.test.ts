import { describe, expect, it } from 'vitest';
import type { BatchedCall, StreamingOutcome, TimedUpstream } from '../../src/upstream/upstream.ts';
import { withJoining } from '../../src/upstream/with-joining.ts';
import { CallQueue } from '../../src/upstream/with-queue.ts';
import { withTimeLimit } from '../../src/upstream/with-timeout.ts';
import { failure } from '../../src/upstream/upstream.ts';
import { NEVER } from '../../src/time/cancellation.ts';
import { callOf, textOf } from './support.ts';

const LONG_MS = 60_000;
const ALL_SET = failure('malformed', 'not answered');

function resultOf(text: string): StreamingOutcome {
  return { kind: 'result', result: Buffer.from(text) };
}

interface Sent {
  readonly account: string | undefined;
  readonly calls: readonly BatchedCall[];
  answer(): Promise<void>;
}

/** A queue with some slots and two in reserve, before an upstream whose calls the test answers. */
function rig({ in_flight = 4 } = {}) {
  const sent: Sent[] = [];
  const upstream: TimedUpstream = (call) =>
    new Promise((resolve) => {
      const { account, calls = [] } = call;
      const answer = async (): Promise<void> => {
        for (const each of calls) each.outcome = resultOf(each.call.params.toString());
        resolve(calls.length === 0 ? resultOf(call.params.toString()) : ALL_SET);
        await new Promise((settled) => setImmediate(settled));
      };
      sent.push({ account, calls, answer });
    });
  const times = { attempt_ms: LONG_MS, monotonic_ms: () => 0 };
  const limits = { in_flight, reserved: 2, queued: 100, keepsStreams: true, ...times };
  const queue = new CallQueue(upstream, limits);
  const call = withJoining(queue.call, 3);
  const askAll = async (account: string, count: number): Promise<string[]> => {
    const batch = {};
    const calls = Array.from({ length: count }, (_, index) =>
      call(callOf('m', `[${index}]`, { account, batch }), NEVER, LONG_MS),
    );
    return (await Promise.all(calls)).map(textOf);
  };
  const settle = (): Promise<void> => new Promise((settled) => setImmediate(settled));
  return { queue, sent, askAll, settle };
}

describe('the calls of a batch in the queue of a node', () => {
  it('take a slot each, are sent together, and have their own outcomes', async () => {
    const { queue, sent, askAll, settle } = rig();
    const [first, second] = [askAll('a', 3), askAll('a', 3)];
    await settle();
    expect([sent.map(({ calls }) => calls.length), queue.size]).toEqual([[3], 6]);
    await sent[0]!.answer();
    expect(await first).toEqual(['[0]', '[1]', '[2]']);
    expect(sent).toHaveLength(2);
    await sent[1]!.answer();
    expect(await second).toEqual(['[0]', '[1]', '[2]']);
    expect(queue.size).toBe(0);
  });

  it('are sent one by one for an account that has no calls in flight and too few slots left', async () => {
    const { sent, askAll, settle } = rig();
    const flood = [askAll('a', 3), askAll('a', 3)];
    await settle();
    const other = askAll('b', 3);
    await settle();
    const started = (): (string | undefined)[] => sent.map(({ account }) => account);
    expect(started()).toEqual(['a', 'b', 'b']);
    while (sent.length > 0) await sent.shift()!.answer();
    expect(await other).toEqual(['[0]', '[1]', '[2]']);
    expect((await Promise.all(flood)).flat()).toHaveLength(6);
  });

  it('do not keep free slots from other accounts while they wait for more', async () => {
    const { queue, sent, askAll, settle } = rig({ in_flight: 8 });
    const asked = ['b', 'b', 'b', 'b', 'b', 'b', 'a'].map((account) => askAll(account, 1));
    await settle();
    asked.push(askAll('a', 3));
    await settle();
    expect(sent).toHaveLength(7);
    asked.push(askAll('c', 1), askAll('c', 1));
    await settle();
    expect(sent.map(({ account }) => account).slice(7)).toEqual(['c', 'a']);
    while (sent.length > 0) await sent.shift()!.answer();
    expect((await Promise.all(asked)).flat()).toHaveLength(12);
    expect(queue.size).toBe(0);
  });

  it('keep the answers that came before the time of the others is over', async () => {
    const timed = withTimeLimit((call) => {
      call.calls![0]!.outcome = resultOf('1');
      return new Promise(() => undefined);
    });
    const call = withJoining(timed, 3);
    const batch = {};
    const calls = [1, 2].map(() => call(callOf('m', '[]', { batch }), NEVER, 1));
    expect((await Promise.all(calls)).map(textOf)).toEqual(['1', 'timeout']);
  });
});
