import type { NodeError } from '../../errors/node-error.ts';
import { failure, type Failure } from '../upstream.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Statuses about the operator's account or the load, never about the call. */
const NODE_STATUSES = new Set([401, 402, 403, 407, 408, 425, 429]);

const NO_BATCHES = failure('malformed', 'the node rejects batches');

export function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether the status is about the request, not about the node. */
function rejectsRequest(status: number): boolean {
  return status >= 400 && status < 500 && !NODE_STATUSES.has(status);
}

/**
 * Whether the body may hold an error of the call: some nodes answer invalid calls with a 4xx status, and the
 * historical draft of JSON-RPC over HTTP gives 500 to the errors of implementations, such as reverts.
 */
export function mayHoldError(status: number): boolean {
  return rejectsRequest(status) || status === 500;
}

/** Whether an error in the body says more about the call than the status: an internal error is a 500. */
export function isErrorOfCall(status: number, { code }: NodeError): boolean {
  return status !== 500 || code !== -32603;
}

/** Returns the failure for a status, with the cooldown that a 429 or 503 response asks for. */
export function failureOfStatus(
  status: number,
  headers: Headers,
  { isBatch, now_ms }: { readonly isBatch: boolean; readonly now_ms: number },
): Failure {
  if (isBatch && rejectsRequest(status)) return NO_BATCHES;
  const failed = failure('status', `HTTP status ${status}`);
  const mayWait = status === 429 || status === 503;
  const cooldown_ms = mayWait ? readRetryAfter(headers, now_ms) : undefined;
  return cooldown_ms === undefined ? failed : { ...failed, cooldown_ms };
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
