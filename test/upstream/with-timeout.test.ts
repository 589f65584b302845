import { expect, it, onTestFinished, vi } from 'vitest';
import { NEVER } from '../../src/time/cancellation.ts';
import type { BatchedCall } from '../../src/upstream/upstream.ts';
import { withTimeLimit } from '../../src/upstream/with-timeout.ts';
import { callOf } from './support.ts';

it('only those calls of a batch that were sent together may have waited for others', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limits = { attempt_ms: 300, monotonic_ms: () => Date.now() };
  const timed = withTimeLimit((call) => {
    call.calls![0]!.call.onSentTogether!();
    return new Promise(() => undefined);
  }, limits);
  const calls: BatchedCall[] = [1, 2].map(() => ({
    call: callOf('eth_test', '[]'),
    outcome: undefined,
  }));
  const outcome = timed({ ...callOf('eth_test', '[]'), calls }, NEVER, 1_000);
  await vi.advanceTimersByTimeAsync(300);
  expect(await outcome).toMatchObject({ kind: 'failure', cause: 'timeout' });
  expect(calls.map((each) => each.outcome)).toEqual([
    expect.objectContaining({ cause: 'timeout', isBatchTimeout: true }),
    undefined,
  ]);
});
