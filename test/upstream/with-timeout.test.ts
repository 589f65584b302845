import { expect, it, onTestFinished, vi } from 'vitest';
import { NEVER } from '../../src/time/cancellation.ts';
import type { UpstreamCall } from '../../src/upstream/upstream.ts';
import { withTimeLimit } from '../../src/upstream/with-timeout.ts';
import { callOf, textOf } from './support.ts';

/** Starts a call without a response; `ended` is how it has ended so far. */
function start(limit_ms: number) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const received: UpstreamCall[] = [];
  const limits = { attempt_ms: 300, monotonic_ms: () => Date.now() };
  const timed = withTimeLimit((call) => {
    received.push(call);
    return new Promise(() => undefined);
  }, limits);
  const ended: string[] = [];
  void timed(callOf('eth_test', '[]'), NEVER, limit_ms).then((outcome) =>
    ended.push(textOf(outcome)),
  );
  return { call: received[0]!, ended };
}

it('a batch whose calls are sent again alone has the time of an attempt again', async () => {
  const { call, ended } = start(1_000);
  await vi.advanceTimersByTimeAsync(100);
  call.onSentAlone!();
  await vi.advanceTimersByTimeAsync(299);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual(['timeout']);
});

it('a batch whose calls are sent again alone ends at its deadline', async () => {
  const { call, ended } = start(350);
  await vi.advanceTimersByTimeAsync(100);
  call.onSentAlone!();
  await vi.advanceTimersByTimeAsync(250);
  expect(ended).toEqual(['timeout']);
});
