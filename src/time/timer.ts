/** Runs `task` once after `delay_ms`; the returned function cancels it. */
export type StartTimer = (delay_ms: number, task: () => void) => () => void;

/** Uses the system's timers, which do not keep the process alive. */
export const startTimer: StartTimer = (delay_ms, task) => {
  const timer = setTimeout(task, delay_ms).unref();
  return () => clearTimeout(timer);
};

interface BackoffOptions {
  readonly first_ms: number;
  readonly max_ms: number;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

/**
 * Returns the delay before retry number `attempt`, counted from 0: exponential up to a maximum. Half
 * of it is random, so that clients that lost the same peer do not all reconnect at once.
 */
export function backoff(attempt: number, { first_ms, max_ms, random }: BackoffOptions): number {
  const delay_ms = Math.min(max_ms, first_ms * 2 ** Math.min(attempt, 30));
  return delay_ms / 2 + (random() * delay_ms) / 2;
}
