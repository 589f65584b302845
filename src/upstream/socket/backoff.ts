export interface BackoffOptions {
  readonly first_ms: number;
  readonly most_ms: number;
  /** From 0 up to, but not, 1. */
  readonly random: () => number;
}

/**
 * How long to wait before attempt number `attempt` (0 is the first one after a loss): doubling up to
 * a bound, half of it at random, so that those who lost the same peer do not come back as one.
 */
export function backoff(attempt: number, { first_ms, most_ms, random }: BackoffOptions): number {
  const span_ms = Math.min(most_ms, first_ms * 2 ** Math.min(attempt, 30));
  return span_ms / 2 + (random() * span_ms) / 2;
}
