import type { Clock } from './clock.ts';

/**
 * A time on both clocks. The wall clock may be adjusted, and the monotonic one may stop while a machine
 * sleeps, so a deadline has passed as soon as either clock has reached it.
 */
export interface Moment {
  readonly now_ms: number;
  readonly monotonic_ms: number;
}

export function readMoment(clock: Clock): Moment {
  return { now_ms: clock.now_ms(), monotonic_ms: clock.monotonic_ms() };
}

export function later({ now_ms, monotonic_ms }: Moment, by_ms: number): Moment {
  return { now_ms: now_ms + by_ms, monotonic_ms: monotonic_ms + by_ms };
}

/** Whether either clock has reached `moment`. */
export function hasPassed(moment: Moment, now: Moment): boolean {
  return now.monotonic_ms >= moment.monotonic_ms || now.now_ms >= moment.now_ms;
}
