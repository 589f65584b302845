/** A source of time, which tests replace. */
export interface Clock {
  /** Milliseconds since the Unix epoch; may jump. */
  now_ms(): number;
  /** Milliseconds since an arbitrary start; never decreases. */
  monotonic_ms(): number;
}

export const systemClock: Clock = Object.freeze({
  now_ms: () => Date.now(),
  monotonic_ms: () => performance.now(),
});
