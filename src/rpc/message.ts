import { memberRanges, scanText, type JsonText, type Member } from '../json/ranges.ts';
import { JsonSyntaxError } from '../json/scanner.ts';

/** A JSON-RPC 2.0 request object (section 4), its members still bytes. */
export interface RpcRequest {
  /** As written: a number, a string or null. `null` (no buffer): a notification. */
  readonly id: Buffer | null;
  readonly method: string;
  /** As written; null when absent. */
  readonly params: Buffer | null;
  /** Why the request is invalid; null when it is valid. */
  readonly invalid: string | null;
}

/** The content of one HTTP body or WebSocket message. */
export type Message =
  | { readonly kind: 'single' | 'batch'; readonly requests: readonly RpcRequest[] }
  | {
      readonly kind: 'unreadable';
      readonly reason: 'parse_error' | 'invalid_request' | 'batch_too_large';
      readonly detail: string;
    };

export const NULL_ID = Buffer.from('null');

export interface MessageLimits {
  readonly request_depth: number;
  readonly batch_calls: number;
}

/** Parses a message; never throws. */
export function readMessage(bytes: Buffer, limits: MessageLimits): Message {
  let text: JsonText;
  try {
    text = scanText(bytes, limits.request_depth);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { kind: 'unreadable', reason: 'parse_error', detail: error.message };
  }
  if (text.kind === 'object') {
    return { kind: 'single', requests: [readRequest(bytes, text.members)] };
  }
  if (text.kind === 'scalar') return unreadable('expected a request object or a batch');
  if (text.elements.length === 0) return unreadable('expected at least one request in a batch');
  if (text.elements.length > limits.batch_calls) {
    return { kind: 'unreadable', reason: 'batch_too_large', detail: '' };
  }
  const requests = text.elements.map(({ start }) =>
    bytes[start] === OPENING_BRACE
      ? readRequest(bytes, memberRanges(bytes, start))
      : invalid(NULL_ID, 'expected a request object'),
  );
  return { kind: 'batch', requests };
}

/**
 * Memory that the request and response of a call in a batch take in addition to their bytes while the
 * batch is in progress. Measured with Node 24: 500 bytes for a rejected call.
 */
export const BATCH_CALL_BYTES = 512;

/** Returns the memory that a message takes besides its bytes. */
export function overheadOf(message: Message): number {
  return message.kind === 'batch' ? message.requests.length * BATCH_CALL_BYTES : 0;
}

/** Returns how many calls a message counts as when limits are applied. */
export function countCalls(message: Message): number {
  return message.kind === 'unreadable' ? 1 : message.requests.length;
}

function unreadable(detail: string): Message {
  return { kind: 'unreadable', reason: 'invalid_request', detail };
}

const QUOTE = 0x22;
const MINUS = 0x2d;
const OPENING_BRACKET = 0x5b;
const LETTER_N = 0x6e;
const OPENING_BRACE = 0x7b;

/** Reads a request from the members of its object. The last of several members with one name counts. */
function readRequest(bytes: Buffer, members: readonly Member[]): RpcRequest {
  let id: Buffer | null = null;
  let version: Member | undefined;
  let method: Member | undefined;
  let params: Buffer | null = null;
  for (const member of members) {
    if (member.name === 'id') id = bytes.subarray(member.start, member.end);
    else if (member.name === 'jsonrpc') version = member;
    else if (member.name === 'method') method = member;
    else if (member.name === 'params') params = bytes.subarray(member.start, member.end);
  }
  if (id !== null && !isId(id)) return invalid(NULL_ID, 'id must be a number, a string or null');
  if (version === undefined || textAt(bytes, version) !== '2.0') {
    return invalid(id, 'jsonrpc must be "2.0"');
  }
  const name = method === undefined ? undefined : textAt(bytes, method);
  if (name === undefined) return invalid(id, 'method must be a string');
  if (params !== null && params[0] !== OPENING_BRACKET && params[0] !== OPENING_BRACE) {
    return invalid(id, 'params must be an array');
  }
  return { id, method: name, params, invalid: null };
}

/** An invalid request is never a notification: it is answered, with its id if that is valid. */
function invalid(id: Buffer | null, reason: string): RpcRequest {
  return { id: id ?? NULL_ID, method: '', params: null, invalid: reason };
}

function isId(raw: Buffer): boolean {
  const first = raw[0]!;
  const isDigit = first >= 0x30 && first <= 0x39;
  return isDigit || first === QUOTE || first === MINUS || first === LETTER_N;
}

function textAt(bytes: Buffer, { start, end }: Member): string | undefined {
  if (bytes[start] !== QUOTE) return undefined;
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
