import { AdminError } from './admin-error.ts';

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const LONGEST_MS = 100 * 366 * 86_400_000;

/** A length of time, `30s`, `15m`, `12h` or `90d`, in milliseconds. Throws AdminError. */
export function readDuration(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const duration_ms = Number(digits) * (UNITS_MS[unit] ?? 0);
  if (digits === '' || duration_ms > LONGEST_MS) {
    throw new AdminError(`"${text}" is no length of time; write e.g. 30s, 15m, 12h or 90d`);
  }
  return duration_ms;
}

/**
 * A moment to come, in Unix milliseconds: a day, which counts from its beginning in UTC, a time, or a
 * length of time from `now_ms` on. Throws AdminError.
 */
export function readMomentToCome(text: string, now_ms: number): number {
  if (/^\d+[smhd]$/.test(text)) return now_ms + readDuration(text);
  const isMoment = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const moment_ms = isMoment ? Date.parse(text) : NaN;
  if (Number.isNaN(moment_ms)) {
    throw new AdminError(
      `"${text}" is no moment; write e.g. 2030-01-31, 2030-01-31T12:00:00Z or 90d`,
    );
  }
  if (moment_ms <= now_ms) throw new AdminError(`${text} has passed; choose a moment to come`);
  return moment_ms;
}

/** A UTC day, `2026-11-21`. Throws AdminError. */
export function readDay(text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  // 2026-02-30 is read as a day of March.
  if (!isDay || new Date(text).toISOString().slice(0, 10) !== text) {
    throw new AdminError(`"${text}" is no day; write e.g. 2026-11-21`);
  }
  return text;
}

/** Sums of days must stay exact as numbers. */
const MOST = 1_000_000_000_000_000;

/** A count from 1 on, of credits or calls. Throws AdminError. */
export function readCount(text: string, what: string): number {
  const count = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (count >= 1 && count <= MOST) return count;
  throw new AdminError(`${what} must be a whole number from 1 to ${MOST}, not "${text}"`);
}

/** A moment in Unix milliseconds as text, `2026-11-21T12:00:00Z`; empty for none. */
export function showMoment(moment_ms: number | null): string {
  if (moment_ms === null) return '';
  return new Date(moment_ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
