import { failure, type Failure } from '../upstream.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Statuses about the operator's account or the load, never about the call. */
const NODE_STATUSES = new Set([401, 402, 403, 407, 408, 425, 429]);

export function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether the body may hold a node error: some providers answer invalid calls with a 4xx status. */
export function mayHoldError(status: number): boolean {
  return status >= 400 && status < 500 && !NODE_STATUSES.has(status);
}

/** Returns the cooldown that a 429 or 503 response asks for. */
export function readCooldown(status: number, headers: Headers, now_ms: number): number | undefined {
  return status === 429 || status === 503 ? readRetryAfter(headers, now_ms) : undefined;
}

/**
 * Reads `Retry-After` in milliseconds (RFC 9110, section 10.2.3): a number of seconds or a date, which
 * counts from the `Date` of the response because clocks differ. Undefined when absent or invalid.
 */
export function readRetryAfter(headers: Headers, now_ms: number): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until_ms = parseHttpDate(value);
  if (until_ms === undefined) return undefined;
  return Math.max(0, until_ms - (parseHttpDate(headers['date']) ?? now_ms));
}

/** Every HTTP date format begins with a weekday; Date.parse also accepts other text. */
function parseHttpDate(text: string | string[] | undefined): number | undefined {
  if (typeof text !== 'string' || !/^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return undefined;
  const date_ms = Date.parse(text);
  return Number.isNaN(date_ms) ? undefined : date_ms;
}

/** Returns the failure for an exchange that ended with an error of the HTTP client. */
export function failureOfError(error: Error): Failure {
  // Error messages may contain what was sent, secrets included; codes do not.
  const code = 'code' in error ? String(error.code) : 'the connection broke';
  // The gateway has closed the upstream, for example because another configuration replaces it.
  if (code === 'UND_ERR_DESTROYED') return failure('interrupted', code);
  return failure(code.startsWith('HPE_') ? 'malformed' : 'connection', code);
}
