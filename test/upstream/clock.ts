import type { StartTimer } from '../../src/time/timer.ts';
import type { Clock } from '../../src/time/clock.ts';

export interface FakeClock extends Clock {
  readonly startTimer: StartTimer;
  /** Advances the time and runs the tasks that are due. */
  pass(ms: number): void;
}

/** A clock that starts at 12:00:00 UTC and only advances by `pass`. */
export function fakeClock(): FakeClock {
  let passed_ms = 0;
  const noon_ms = Date.UTC(2030, 0, 1, 12);
  const tasks = new Set<{ due_ms: number; task: () => void }>();
  return {
    now_ms: () => noon_ms + passed_ms,
    monotonic_ms: () => passed_ms,
    startTimer(delay_ms, task) {
      const entry = { due_ms: passed_ms + delay_ms, task };
      tasks.add(entry);
      return () => void tasks.delete(entry);
    },
    pass(ms) {
      passed_ms += ms;
      for (const entry of tasks) {
        if (entry.due_ms > passed_ms) continue;
        tasks.delete(entry);
        entry.task();
      }
    },
  };
}
