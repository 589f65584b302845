import { isSpace, MINUS, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../json/bytes.ts';
import { scanMembers, scanObjects, scanText, type Range } from '../json/ranges.ts';
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

/** Members of a request. */
const names: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

type Members = ReadonlyMap<string, Range>;

/**
 * Maximum number of elements of a batch that are invalid and have no id: a response to each is more than a
 * hundred times as large as the element, and costs nothing.
 */
const MAX_UNKNOWN = 10;

/** Ends the scan of a batch that is refused as a whole, whatever follows. */
class BatchRefused extends Error {
  readonly reason: 'batch_too_large' | 'invalid_request';

  constructor(reason: BatchRefused['reason'], detail = '') {
    super(detail);
    this.reason = reason;
  }
}

/** Parses a message; never throws. */
export function readMessage(bytes: Buffer, limits: MessageLimits): Message {
  try {
    return read(bytes, limits);
  } catch (error) {
    if (error instanceof BatchRefused) {
      return { kind: 'unreadable', reason: error.reason, detail: error.message };
    }
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { kind: 'unreadable', reason: 'parse_error', detail: error.message };
  }
}

function read(bytes: Buffer, { request_depth, batch_calls }: MessageLimits): Message {
  const first = firstByte(bytes);
  if (first === OPEN_OBJECT) {
    const members = scanMembers(bytes, request_depth, names);
    return { kind: 'single', requests: [readRequest(bytes, members)] };
  }
  if (first !== OPEN_ARRAY) {
    scanText(bytes, request_depth);
    return unreadable('expected a request object or a batch');
  }
  const requests: RpcRequest[] = [];
  let unknown = 0;
  scanObjects(bytes, request_depth - 1, names, (members) => {
    if (requests.length === batch_calls) throw new BatchRefused('batch_too_large');
    const request =
      members === undefined
        ? invalid(NULL_ID, 'expected a request object')
        : readRequest(bytes, members);
    if (request.invalid !== null && request.id === NULL_ID) unknown += 1;
    if (unknown > MAX_UNKNOWN) {
      const detail = `expected requests with an id, got more than ${MAX_UNKNOWN} invalid elements without one`;
      throw new BatchRefused('invalid_request', detail);
    }
    requests.push(request);
  });
  if (requests.length === 0) return unreadable('expected at least one request in a batch');
  return { kind: 'batch', requests };
}

function firstByte(bytes: Buffer): number | undefined {
  let at = 0;
  while (isSpace(bytes[at])) at += 1;
  return bytes[at];
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

const LETTER_N = 0x6e;

/** Reads a request from the members of its object. */
function readRequest(bytes: Buffer, members: Members): RpcRequest {
  const id = bytesAt(bytes, members.get('id'));
  const version = members.get('jsonrpc');
  const method = members.get('method');
  const params = bytesAt(bytes, members.get('params'));
  if (id !== null && !isId(id)) return invalid(NULL_ID, 'id must be a number, a string or null');
  if (version === undefined || textAt(bytes, version) !== '2.0') {
    return invalid(id, 'jsonrpc must be "2.0"');
  }
  const name = method === undefined ? undefined : textAt(bytes, method);
  if (name === undefined) return invalid(id, 'method must be a string');
  if (params !== null && params[0] !== OPEN_ARRAY && params[0] !== OPEN_OBJECT) {
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

function bytesAt(bytes: Buffer, range: Range | undefined): Buffer | null {
  return range === undefined ? null : bytes.subarray(range.start, range.end);
}

function textAt(bytes: Buffer, { start, end }: Range): string | undefined {
  if (bytes[start] !== QUOTE) return undefined;
  const text = bytes.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
