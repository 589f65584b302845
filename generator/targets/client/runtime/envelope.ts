import { TransportError } from './client-error.ts';
import type { Call, ResponseInfo, WireError } from './transport.ts';

/** A JSON-RPC answer with the id it bears. */
export type Envelope = { readonly id: unknown } & (
  | { readonly result: unknown; readonly error?: never }
  | { readonly error: WireError; readonly result?: never }
);

/** Writes a call as a JSON-RPC 2.0 request; a notification has no id. */
export function encodeCall(call: Call, id: number): string {
  const { method, params } = call;
  return JSON.stringify({
    jsonrpc: '2.0',
    ...(call.notification ? {} : { id }),
    method,
    ...(params === undefined ? {} : { params }),
  });
}

/**
 * Reads a JSON-RPC 2.0 answer.
 * @throws TransportError `not_json` or `not_json_rpc`.
 */
export function decodeAnswer(text: string, where: string, response?: ResponseInfo): Envelope {
  const envelope = decodeMessage(text, where, response);
  if (envelope === null) throw notAnAnswer(text, where, response);
  return envelope;
}

/**
 * Reads a message of the server: an answer, or null for a call of its own, such as the notification
 * of a subscription.
 * @throws TransportError `not_json` or `not_json_rpc`.
 */
export function decodeMessage(
  text: string,
  where: string,
  response?: ResponseInfo,
): Envelope | null {
  const value = parse(text, where, response);
  const envelope = toEnvelope(value);
  if (envelope !== null) return envelope;
  if (isCall(value)) return null;
  throw notAnAnswer(text, where, response);
}

/** The first of a text, for a message: bounded, on one line. */
export function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'an empty text';
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

function parse(text: string, where: string, response: ResponseInfo | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TransportError('not_json', {
      what: `the answer is not JSON: ${excerpt(text)}`,
      where,
      mend: 'check the address, and what stands between here and the server',
      cause,
      ...statusOf(response),
    });
  }
}

function notAnAnswer(text: string, where: string, response?: ResponseInfo): TransportError {
  return new TransportError('not_json_rpc', {
    what: `the answer is not one of JSON-RPC 2.0: ${excerpt(text)}`,
    where,
    mend: 'check that the address is that of a JSON-RPC service',
    ...statusOf(response),
  });
}

function statusOf(response: ResponseInfo | undefined): { readonly status?: number } {
  return response === undefined ? {} : { status: response.status };
}

function isCall(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('method' in value)) return false;
  return typeof value.method === 'string';
}

function toEnvelope(value: unknown): Envelope | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, result, error } = value as Record<string, unknown>;
  // Some servers send `error: null` beside a result.
  if (error !== undefined && error !== null) return isWireError(error) ? { id, error } : null;
  return 'result' in value ? { id, result } : null;
}

function isWireError(error: unknown): error is WireError {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as Record<string, unknown>;
  return typeof code === 'number' && typeof message === 'string';
}
