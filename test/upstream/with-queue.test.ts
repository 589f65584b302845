import { describe, expect, it } from 'vitest';
import type { StreamEnd } from '../../src/upstream/result-stream.ts';
import type { StreamingOutcome, StreamingUpstream } from '../../src/upstream/upstream.ts';
import { withQueue } from '../../src/upstream/with-queue.ts';
import { callOf, textOf } from './support.ts';

const ONE: StreamingOutcome = { kind: 'result', result: Buffer.from('1') };

/** An upstream that answers when told to, first call first. */
function held(): {
  call: StreamingUpstream;
  started: string[];
  answer(outcome?: StreamingOutcome): void;
} {
  const resolves: ((outcome: StreamingOutcome) => void)[] = [];
  const started: string[] = [];
  return {
    started,
    call: ({ method }) => {
      started.push(method);
      return new Promise((resolve) => resolves.push(resolve));
    },
    answer: (outcome = ONE) => resolves.shift()!(outcome),
  };
}

const { signal } = new AbortController();

describe('withQueue', () => {
  it('lets a bounded number through, holds a bounded number back in order, refuses the rest', async () => {
    const beneath = held();
    const queue = withQueue(beneath.call, { in_flight: 2, queued: 2 });
    const calls = ['a', 'b', 'c', 'd', 'e'].map((method) =>
      queue.call(callOf(method, '[]'), signal),
    );
    expect(queue.isFull()).toBe(true);
    expect(beneath.started).toEqual(['a', 'b']);
    expect(textOf(await calls[4]!)).toBe('overloaded');
    beneath.answer();
    expect(textOf(await calls[0]!)).toBe('1');
    expect(beneath.started).toEqual(['a', 'b', 'c']);
    expect(queue.isFull()).toBe(false);
    for (let index = 0; index < 3; index += 1) {
      beneath.answer();
      await Promise.resolve();
      await Promise.resolve();
    }
    expect((await Promise.all(calls.slice(0, 4))).map(textOf)).toEqual(['1', '1', '1', '1']);
    expect(beneath.started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('gives up the place of a caller that leaves', async () => {
    const beneath = held();
    const queue = withQueue(beneath.call, { in_flight: 1, queued: 1 });
    void queue.call(callOf('a', '[]'), signal);
    const leaving = new AbortController();
    const gone = queue.call(callOf('b', '[]'), leaving.signal);
    leaving.abort();
    expect(textOf(await gone)).toBe('aborted');
    const next = queue.call(callOf('c', '[]'), signal);
    beneath.answer();
    await Promise.resolve();
    await Promise.resolve();
    expect(beneath.started).toEqual(['a', 'c']);
    beneath.answer();
    expect(textOf(await next)).toBe('1');
    expect(textOf(await queue.call(callOf('d', '[]'), AbortSignal.abort()))).toBe('aborted');
  });

  it('counts a stream until it has ended', async () => {
    const ended = Promise.withResolvers<StreamEnd>();
    const stream = { ended: ended.promise, async *[Symbol.asyncIterator]() {} };
    const beneath = held();
    const queue = withQueue(beneath.call, { in_flight: 1, queued: 1 });
    const first = queue.call(callOf('a', '[]'), signal);
    void queue.call(callOf('b', '[]'), signal);
    beneath.answer({ kind: 'stream', stream });
    expect(textOf(await first)).toBe('stream');
    expect(beneath.started).toEqual(['a']);
    ended.resolve({ kind: 'whole', bytes: 0 });
    await expect.poll(() => beneath.started).toEqual(['a', 'b']);
  });
});
