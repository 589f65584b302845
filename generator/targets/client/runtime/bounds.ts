/** Options by name: the least each may be, and what it is when it is not given. */
export type Bounds = Readonly<Record<string, readonly [least: number, fallback: number]>>;

/**
 * Reads numbers given as options.
 * @throws TypeError naming the option that is below its least.
 */
export function readNumbers<const Names extends Bounds>(
  options: object,
  bounds: Names,
): { readonly [Name in keyof Names]: number } {
  const entries = Object.entries(bounds).map(([name, [least, fallback]]) => {
    const value = (options as Record<string, unknown>)[name] ?? fallback;
    if ((value as number) >= least) return [name, value];
    throw new TypeError(`${name} is ${value}: pass ${least} or more`);
  });
  return Object.fromEntries(entries) as { [Name in keyof Names]: number };
}

/** Runs `act` once after `delayMs`; timers end at 24 days (a signed 32-bit number), which is no limit. */
export function startTimer(delayMs: number, act: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(act, Math.min(delayMs, 2_147_483_647));
}
