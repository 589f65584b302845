/** Time as the rooms see it; tests give their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch; may jump. */
  now_ms(): number;
  /** Milliseconds since some fixed moment; never goes back. */
  monotonic_ms(): number;
}

export const systemClock: Clock = Object.freeze({
  now_ms: () => Date.now(),
  monotonic_ms: () => performance.now(),
});
