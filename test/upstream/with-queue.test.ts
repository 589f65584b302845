import { describe, expect, it } from 'vitest';
import type { StreamEnd, StreamingOutcome, TimedUpstream } from '../../src/upstream/upstream.ts';
import { CallQueue, type QueueLimits } from '../../src/upstream/with-queue.ts';
import { callOf, textOf } from './support.ts';

const ONE: StreamingOutcome = { kind: 'result', result: Buffer.from('1') };
const LONG_MS = 60_000;

interface Rig {
  readonly queue: CallQueue;
  /** The account of each started call, and its time left. */
  readonly started: string[];
  readonly left_ms: number[];
  pass(time_ms: number): void;
  ask(account: string, abandoned?: AbortSignal): Promise<StreamingOutcome>;
  /** Ends the oldest call in flight of this account, or of any. */
  answer(account?: string, outcome?: StreamingOutcome): Promise<void>;
  answerLatest(account: string): Promise<void>;
}

/** A queue before an upstream whose calls the test ends. */
function rig(limits: Partial<QueueLimits>): Rig {
  let now_ms = 0;
  const running: { account: string; resolve: (outcome: StreamingOutcome) => void }[] = [];
  const started: string[] = [];
  const left_ms: number[] = [];
  const upstream: TimedUpstream = ({ account = '' }, _signal, left) => {
    started.push(account);
    left_ms.push(left);
    return new Promise((resolve) => running.push({ account, resolve }));
  };
  const queue = new CallQueue(upstream, {
    in_flight: 2,
    reserved: 0,
    queued: 100,
    keepsStreams: true,
    attempt_ms: LONG_MS / 4,
    monotonic_ms: () => now_ms,
    ...limits,
  });
  return {
    queue,
    started,
    left_ms,
    pass: (time_ms) => {
      now_ms += time_ms;
    },
    ask: (account, abandoned) =>
      queue.call(
        callOf('m', '[]', { account, ...(abandoned && { abandoned }) }),
        new AbortController().signal,
        LONG_MS,
      ),
    async answer(account, outcome = ONE) {
      const index = running.findIndex((each) => account === undefined || each.account === account);
      running.splice(index, 1)[0]!.resolve(outcome);
      await new Promise((settled) => setImmediate(settled));
    },
    async answerLatest(account) {
      const index = running.findLastIndex((each) => each.account === account);
      running.splice(index, 1)[0]!.resolve(ONE);
      await new Promise((settled) => setImmediate(settled));
    },
  };
}

function count(names: readonly string[], name: string): number {
  return names.filter((each) => each === name).length;
}

describe('CallQueue', () => {
  it('gives a single account all slots, queues a bounded number of calls and refuses others', async () => {
    const { queue, ask, answer, started } = rig({ in_flight: 4, reserved: 1, queued: 2 });
    const calls = Array.from({ length: 7 }, () => ask('a'));
    expect(started).toHaveLength(4);
    expect(queue.isFull('a')).toBe(true);
    expect(textOf(await calls[6]!)).toBe('overloaded');
    await answer();
    expect(started).toHaveLength(5);
    expect(queue.isFull('a')).toBe(false);
    while (queue.size > 0) await answer();
    expect((await Promise.all(calls.slice(0, 6))).map(textOf)).toEqual(Array(6).fill('1'));
  });

  it('shares slots evenly among waiting accounts, however many calls they have', async () => {
    const { ask, answer, started } = rig({ in_flight: 12 });
    for (let index = 0; index < 60; index += 1) void ask('flood');
    for (const name of ['b', 'c']) for (let index = 0; index < 10; index += 1) void ask(name);
    for (let index = 0; index < 8; index += 1) await answer('flood');
    expect(count(started, 'b')).toBe(4);
    expect(count(started, 'c')).toBe(4);
    // Each keeps its third: an account gets back the slot it frees.
    for (const name of ['b', 'flood', 'c', 'flood']) await answer(name);
    expect([count(started, 'b'), count(started, 'c'), count(started, 'flood')]).toEqual([5, 5, 14]);
  });

  it('serves equally loaded accounts in turn, each in order of arrival', async () => {
    const { ask, answer, started } = rig({ in_flight: 1 });
    for (const name of ['a', 'a', 'a', 'b', 'b', 'c']) void ask(name);
    for (let index = 0; index < 6; index += 1) await answer();
    expect(started).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('serves short calls of an account before the next long one of another, until both took as long', async () => {
    const { ask, answer, started, pass } = rig({ in_flight: 1 });
    for (let index = 0; index < 4; index += 1) void ask('long');
    for (let index = 0; index < 10; index += 1) void ask('short');
    for (let index = 0; index < 14; index += 1) {
      pass(started.at(-1) === 'long' ? 250 : 50);
      await answer();
    }
    const turn = ['long', ...Array<string>(5).fill('short')];
    expect(started.slice(0, 12)).toEqual([...turn, ...turn]);
  });

  it('lets no account wait longer for its long calls than for two seconds of those of another', async () => {
    const { ask, answer, started, pass } = rig({ in_flight: 1 });
    void ask('long');
    void ask('long');
    for (let index = 0; index < 50; index += 1) void ask('short');
    pass(60_000);
    await answer();
    while (count(started, 'long') < 2) {
      pass(100);
      await answer();
    }
    expect(count(started, 'short')).toBe(20);
  });

  it('serves an account with long calls although further ones call all the time', async () => {
    const { ask, answer, started, pass } = rig({ in_flight: 1 });
    void ask('long');
    void ask('long');
    void ask('first');
    pass(10_000);
    await answer();
    for (let index = 0; index < 100; index += 1) {
      void ask(`further ${index}`);
      pass(100);
      await answer();
    }
    expect(count(started, 'long')).toBe(2);
  });

  it('lets an account save nothing up while none of its calls wait', async () => {
    const { ask, answer, answerLatest, started, pass } = rig({ in_flight: 3 });
    // A call that lasts to the end.
    void ask('saving');
    for (let index = 0; index < 60; index += 1) void ask('busy');
    for (let index = 0; index < 20; index += 1) {
      pass(1_000);
      await answer('busy');
    }
    for (let index = 0; index < 20; index += 1) void ask('saving');
    await answer('busy');
    // Both have a call in flight, and a third slot becomes free again and again.
    const before = started.length;
    for (let index = 0; index < 12; index += 1) {
      pass(1_000);
      await answerLatest(started.at(-1)!);
    }
    expect(count(started.slice(before), 'busy')).toBe(5);
  });

  it('sends a call of an account below its share at once although another fills all slots', async () => {
    const { ask, answer, started, queue } = rig({ in_flight: 8, reserved: 4 });
    for (let index = 0; index < 20; index += 1) void ask('flood');
    void ask('b');
    void ask('b');
    void ask('b');
    expect(started.slice(8)).toEqual(['b', 'b']);
    // Its next call gets the next slot; the reserve is free when the flood is at its share.
    await answer('flood');
    expect(started.slice(8)).toEqual(['b', 'b', 'b']);
    for (let index = 0; index < 4; index += 1) await answer('flood');
    expect(count(started, 'flood')).toBeLessThan(12);
    while (queue.size > 0) await answer();
    expect(started).toHaveLength(23);
  });

  it('leaves reserved slots free for further accounts when one takes some of them', async () => {
    const { ask, answer, started, queue } = rig({ in_flight: 32, reserved: 8 });
    for (const name of ['flood', 'b', 'c', 'd']) {
      for (let index = 0; index < 40; index += 1) void ask(name);
    }
    expect(started.slice(32)).toEqual(['b', 'b', 'b', 'b', 'c', 'c', 'd']);
    for (const name of ['e', 'f']) {
      void ask(name);
      expect(started.at(-1)).toBe(name);
      await answer(name);
    }
    while (queue.size > 0) await answer();
  });

  it('takes the slots of a batch as if its calls were asked one by one', async () => {
    const { queue, ask, started } = rig({ in_flight: 32, reserved: 8 });
    const { signal } = new AbortController();
    const calls = Array.from({ length: 8 }, () => ({
      call: callOf('m', '[]', { account: 'b' }),
      outcome: undefined,
    }));
    for (let index = 0; index < 32; index += 1) void ask('flood');
    void queue.call({ ...callOf('m', '[]', { account: 'b' }), calls }, signal, LONG_MS);
    await new Promise((settled) => setImmediate(settled));
    expect(started.slice(32)).toEqual(['b', 'b', 'b', 'b']);
  });

  it('drops the newest call of the longest queue for an account with a shorter one when full', async () => {
    const { ask, queue, answer, started } = rig({ in_flight: 1, queued: 3 });
    const flood = Array.from({ length: 4 }, () => ask('flood'));
    expect([queue.isFull('flood'), queue.isFull('b')]).toEqual([true, false]);
    const other = ask('b');
    expect(textOf(await flood[3]!)).toBe('overloaded');
    expect(textOf(await ask('flood'))).toBe('overloaded');
    // With queues of two calls and one, a swap would help neither account.
    expect(textOf(await ask('b'))).toBe('overloaded');
    while (queue.size > 0) await answer();
    expect(started).toEqual(['flood', 'b', 'flood', 'flood']);
    expect(textOf(await other)).toBe('1');
  });

  it('drops a waiting call when its caller leaves, and continues one that was sent', async () => {
    const { ask, answer, started } = rig({ in_flight: 1 });
    const leaving = new AbortController();
    const sent = ask('a', leaving.signal);
    const waiting = ask('a', leaving.signal);
    const next = ask('b');
    leaving.abort();
    expect(textOf(await waiting)).toBe('aborted');
    expect(textOf(await ask('a', leaving.signal))).toBe('aborted');
    expect(started).toEqual(['a']);
    await answer();
    expect(textOf(await sent)).toBe('1');
    await answer();
    expect(textOf(await next)).toBe('1');
    expect(started).toEqual(['a', 'b']);
  });

  it('passes on the time left after waiting', async () => {
    const { ask, answer, left_ms, pass } = rig({ in_flight: 1 });
    void ask('a');
    void ask('a');
    pass(8_000);
    await answer();
    expect(left_ms).toEqual([LONG_MS, LONG_MS - 8_000]);
  });

  it('ends a call that got no slot in time', async () => {
    const { queue, ask } = rig({ in_flight: 1 });
    void ask('a');
    const waited = queue.call(callOf('m', '[]', { account: 'b' }), new AbortController().signal, 1);
    expect(textOf(await waited)).toBe('timeout');
    expect(queue.size).toBe(1);
  });

  it.each([
    [true, ['a']],
    [false, ['a', 'b']],
  ])('with keepsStreams %s, starts %j while a stream is read', async (keepsStreams, during) => {
    const ended = Promise.withResolvers<StreamEnd>();
    const stream = { ended: ended.promise, async *[Symbol.asyncIterator]() {} };
    const { queue, ask, answer, started } = rig({ in_flight: 1, keepsStreams });
    const first = ask('a');
    void ask('b');
    await answer('a', { kind: 'stream', stream });
    expect(textOf(await first)).toBe('stream');
    expect(started).toEqual(during);
    expect(queue.size).toBe(2);
    ended.resolve({ kind: 'whole', bytes: 0 });
    await expect.poll(() => started).toEqual(['a', 'b']);
    expect(queue.size).toBe(1);
  });
});
