const DAY_MS = 86_400_000;

/** Returns the UTC day of a time, such as `2026-11-21`. */
export function utcDay(now_ms: number): string {
  return new Date(now_ms).toISOString().slice(0, 10);
}

/** Returns the end of a UTC day in Unix milliseconds. */
export function endOfDay_ms(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + DAY_MS;
}
