/**
 * Checks a number given as an option.
 * @throws TypeError naming the option when it is below `least`.
 */
export function atLeast(least: number, name: string, value: number): number {
  if (value >= least) return value;
  throw new TypeError(`${name} is ${value}: pass a number of at least ${least}`);
}

/** Runs `act` once after `delayMs`; timers end at 24 days (a signed 32-bit number), which is no limit. */
export function startTimer(delayMs: number, act: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(act, Math.min(delayMs, 2_147_483_647));
}
