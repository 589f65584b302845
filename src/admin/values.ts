/** An administrative command that failed; the message is one line with the cause and the fix. */
export class AdminError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AdminError';
  }
}

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const MAX_DURATION_MS = 100 * 366 * 86_400_000;

/** Parses a duration such as `30s`, `15m`, `12h` or `90d` into milliseconds. Throws AdminError. */
export function readDuration(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const duration_ms = Number(digits) * (UNITS_MS[unit] ?? 0);
  if (digits === '' || duration_ms > MAX_DURATION_MS) {
    throw new AdminError(`invalid duration "${text}", expected e.g. 30s, 15m, 12h or 90d`);
  }
  return duration_ms;
}

/**
 * Parses a date (its midnight in UTC), a time, or a duration after `now_ms` into Unix milliseconds.
 * Throws AdminError.
 */
export function readFutureTime(text: string, now_ms: number): number {
  if (/^\d+[smhd]$/.test(text)) return now_ms + readDuration(text);
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const time_ms = isTime ? Date.parse(text) : NaN;
  if (Number.isNaN(time_ms)) {
    throw new AdminError(
      `invalid time "${text}", expected e.g. 2030-01-31, 2030-01-31T12:00:00Z or 90d`,
    );
  }
  if (time_ms <= now_ms) throw new AdminError(`${text} is in the past; choose a later time`);
  return time_ms;
}

/** Parses a UTC day such as `2026-11-21`. Throws AdminError. */
export function readDay(text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  // Date.parse accepts 2026-02-30 as a day of March.
  if (!isDay || new Date(text).toISOString().slice(0, 10) !== text) {
    throw new AdminError(`invalid date "${text}", expected YYYY-MM-DD`);
  }
  return text;
}

/** Sums over many days must stay below 2^53. */
const MAX_COUNT = 1_000_000_000_000_000;

/** Parses a positive number of credits or calls. Throws AdminError. */
export function readCount(text: string, option: string): number {
  const count = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (count >= 1 && count <= MAX_COUNT) return count;
  throw new AdminError(`invalid ${option} "${text}", expected an integer from 1 to ${MAX_COUNT}`);
}

/** Formats Unix milliseconds as `2026-11-21T12:00:00Z`; null as an empty string. */
export function formatTime(time_ms: number | null): string {
  if (time_ms === null) return '';
  return new Date(time_ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
