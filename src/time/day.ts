const DAY_MS = 86_400_000;

/** The UTC day of a moment, `2026-11-21`. */
export function utcDay(now_ms: number): string {
  return new Date(now_ms).toISOString().slice(0, 10);
}

/** When a UTC day ends, in Unix milliseconds. */
export function endOfDay_ms(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + DAY_MS;
}
