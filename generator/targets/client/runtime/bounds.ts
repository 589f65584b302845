/**
 * Reads a number from options.
 * @throws TypeError when it is less than `min`.
 */
export function readNumber(
  options: object | false,
  name: string,
  fallback: number,
  min = 0,
): number {
  const value = (options as Readonly<Record<string, number | undefined>>)[name] ?? fallback;
  if (value >= min) return value;
  throw new TypeError(`${name}: expected >= ${min}, got ${value}`);
}

/**
 * Reads a URL. Only its `origin` (scheme, host and port) is safe to show: the path may hold a key.
 * @throws TypeError when it is not a URL of the scheme (`http`, `ws`) or its secure variant.
 */
export function readUrl(url: string | URL, scheme: string): URL {
  try {
    const parsed = new URL(url);
    if (parsed.protocol.startsWith(scheme)) return parsed;
  } catch {
    // The runtime's error may contain the URL.
  }
  throw new TypeError(`url: expected ${scheme}(s)://`);
}

/** Calls `act` after `delayMs`, at most 23 days: timers take a signed 32-bit number. */
export function startTimer(delayMs: number, act: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(act, Math.min(delayMs, 2e9));
}
