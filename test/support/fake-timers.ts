import { onTestFinished, vi } from 'vitest';

/**
 * Replaces `setTimeout` for the rest of the test: timers set from now on fire only when the returned
 * function lets time pass. Timers set before keep to the real time, so a test opens its connections
 * first.
 */
export function fakeTimers(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}
