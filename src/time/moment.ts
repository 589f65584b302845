import type { Clock } from './clock.ts';

/**
 * A moment by both clocks. The wall clock may be set, the monotonic one may stand still while a
 * machine sleeps: what must not last too long ends when either says so.
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

/** Whether either clock has come to `moment`. */
export function hasCome(moment: Moment, now: Moment): boolean {
  return now.monotonic_ms >= moment.monotonic_ms || now.now_ms >= moment.now_ms;
}
