/**
 * Checks a bound given as an option.
 * @throws TypeError naming the option when it is not a whole number of at least one.
 */
export function readCount(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw new TypeError(`${name} is ${value}: pass a whole number of at least 1`);
}

/**
 * Checks a time in milliseconds given as an option; Infinity means no limit.
 * @throws TypeError naming the option when it is not above zero.
 */
export function readDuration(name: string, value: number): number {
  if (typeof value === 'number' && value > 0) return value;
  throw new TypeError(`${name} is ${value}: pass milliseconds above 0, or Infinity for no limit`);
}

/** The longest a timer runs (a signed 32-bit number); a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Runs `act` once after `delayMs`, or never when that is beyond what a timer can hold (24 days). */
export function startTimer(delayMs: number, act: () => void): () => void {
  if (delayMs > LONGEST_TIMER_MS) return () => {};
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
}
