/**
 * Reads a number given as an option.
 * @throws TypeError naming the option when it is below its least.
 */
export function readNumber(
  options: object | false,
  name: string,
  fallback: number,
  least = 0,
): number {
  const value = (options as Readonly<Record<string, number | undefined>>)[name] ?? fallback;
  if (value >= least) return value;
  throw new TypeError(`${name} is ${value}: pass ${least} or more`);
}

/** Runs `act` once after `delayMs`; timers end at 23 days (a signed 32-bit number), which is no limit. */
export function startTimer(delayMs: number, act: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(act, Math.min(delayMs, 2e9));
}
