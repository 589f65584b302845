import type { Json } from '../../../../common/samples/sample.ts';
import type { ErrorData } from '../method-data.ts';
import { decodeRevert, type Revert } from './revert.ts';

export interface RpcError {
  readonly code: Json;
  readonly message: string;
  readonly data: Json | undefined;
}

/** What the console shows about an error. */
export interface Explanation {
  readonly cause: string | null;
  readonly fix: string | null;
  /** When a retry makes sense. */
  readonly when: string | null;
  readonly row: ErrorData | null;
  readonly revert: Revert | null;
}

/** Returns the error of a response; null when it has none. */
export function errorOf(answer: Json): RpcError | null {
  if (!isObject(answer) || !isObject(answer['error'])) return null;
  const { code = null, message, data } = answer['error'];
  return { code, message: typeof message === 'string' ? message : '', data };
}

/** Explains an error with the document's error catalog. `now` is in milliseconds. */
export function explain(error: RpcError, rows: readonly ErrorData[], now: number): Explanation {
  const row = rowOf(error, rows);
  return {
    cause: row?.cause ?? null,
    fix: row?.fix ?? null,
    when: whenOf(error.data, now),
    row,
    // EIP-1474 defines no code for reverts; nodes use 3.
    revert: error.code === 3 ? decodeRevert(error.data) : null,
  };
}

/** Finds the row by code and reason, or by code alone when only one row has it. */
function rowOf({ code, data }: RpcError, rows: readonly ErrorData[]): ErrorData | null {
  const withCode = rows.filter((row) => row.code === code);
  const reason = isObject(data) ? data['reason'] : undefined;
  if (typeof reason === 'string') return withCode.find((row) => row.reason === reason) ?? null;
  return withCode.length === 1 ? withCode[0]! : null;
}

function whenOf(data: Json | undefined, now: number): string | null {
  if (!isObject(data)) return null;
  const { resetsAt, retryAfterMs } = data;
  const at = typeof resetsAt === 'string' ? Date.parse(resetsAt) : Number.NaN;
  if (!Number.isNaN(at)) {
    const moment = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
    return `Credits reset at ${moment} UTC, in ${span(at - now)}.`;
  }
  if (typeof retryAfterMs === 'number') return `Try again in ${span(retryAfterMs)}.`;
  return null;
}

function span(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (milliseconds < 60_000) return `${Math.max(1, Math.ceil(milliseconds / 1000))} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
