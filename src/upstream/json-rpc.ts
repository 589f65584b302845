import type { NodeError } from '../errors/node-error.ts';
import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY } from '../json/bytes.ts';
import { detached } from '../json/detached.ts';
import { hasMoreValues } from '../json/count-values.ts';
import { rangeAt, scanMembers, scanObjects, type Range } from '../json/ranges.ts';
import { JsonDepthError, JsonSyntaxError } from '../json/scanner.ts';
import {
  failure,
  type BatchedCall,
  type Failure,
  type UpstreamCall,
  type UpstreamOutcome,
} from './upstream.ts';

/** A message from a node, read as a JSON-RPC response. */
export interface Response {
  readonly kind: 'response';
  /** As written; undefined when absent. */
  readonly id: string | undefined;
  /** Whether the message is a request or notification from the node instead. */
  readonly isRequest: boolean;
  readonly outcome: UpstreamOutcome;
}

/** Writes a call as a JSON-RPC request. */
export function encodeRequest(id: number, { method, params }: UpstreamCall): Buffer {
  const head = headOf(id, method);
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(head) + params.length + 1);
  const at = bytes.write(head);
  params.copy(bytes, at);
  bytes[bytes.length - 1] = CLOSE_OBJECT;
  return bytes;
}

/** Writes calls as one batch. */
export function encodeBatch(calls: readonly BatchedCall[], firstId: number): Buffer {
  const heads = calls.map(({ call: { method } }, index) => headOf(firstId + index, method));
  let length = calls.length * 2 + 1;
  for (const { call } of calls) length += call.params.length;
  for (const head of heads) length += Buffer.byteLength(head);
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  calls.forEach(({ call }, index) => {
    bytes[at] = index === 0 ? OPEN_ARRAY : COMMA;
    at += 1 + bytes.write(heads[index]!, at + 1);
    at += call.params.copy(bytes, at);
    bytes[at] = CLOSE_OBJECT;
    at += 1;
  });
  bytes[at] = CLOSE_ARRAY;
  return bytes;
}

function headOf(id: number, method: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":`;
}

/** The outcome of a batched call that has no outcome of its own. */
export const UNANSWERED = failure('malformed', 'no response to the batch');

/** Returns the outcome of request `id`. */
export function outcomeFor(id: number, response: Response | Failure): UpstreamOutcome {
  if (response.kind === 'failure') return response;
  return response.id === String(id) ? response.outcome : wrongId(id, response.id);
}

/**
 * How far the id of a late response can be behind the expected id: more than the calls in flight at a node.
 * A node that always sends the same id soon exceeds this.
 */
const MAX_LATE_CALLS = 1_000;

/** Returns the failure for an HTTP response to request `id` that has another id. */
export function wrongId(id: number, received: string | undefined): Failure {
  const behind = /^[1-9]\d{0,14}$/.test(received ?? '') ? id - Number(received) : 0;
  return behind > 0 && behind <= MAX_LATE_CALLS ? ANSWERS_EARLIER : WRONG_ID;
}

/** Maximum size of the response to a batch: it is scanned in one turn of the event loop. */
export const MAX_BATCH_BYTES = 1_048_576;

const idName: ReadonlySet<string> = new Set(['id']);

/** Returns the id of a response, or of the first one in a batch, as written; undefined if none is found. */
export function firstIdOf(bytes: Buffer, max_depth: number): string | undefined {
  let id: string | undefined;
  const read = (members: Members | undefined): void => {
    const range = members?.get('id');
    id ??= range && textOf(bytes, range);
  };
  try {
    if (isArray(bytes)) scanObjects(bytes, max_depth, idName, read);
    else read(scanMembers(bytes, max_depth, idName));
  } catch (error) {
    syntaxFailure(error);
  }
  return id;
}

/** Whether JSON text begins like an array. */
export function isArray(bytes: Buffer): boolean {
  return /^\s*\[/.test(bytes.toString('latin1', 0, MAX_TEXT_BYTES));
}

/**
 * Failure of a call that received the response to an earlier one: the node answered that call twice on this
 * connection, and the answer to this call follows.
 */
export const ANSWERS_EARLIER = failure('interrupted', 'the response belongs to an earlier call');

export const WRONG_ID = failure('malformed', 'response id does not match the request');
const NO_RESULT = failure('malformed', 'response has no result');
const NO_CODE = failure('malformed', 'error in the response has no code or is not valid JSON');

/**
 * Maximum values in an error, which is parsed: several of a batch in one turn of the event loop. Real errors
 * have at most a few hundred.
 */
const MAX_ERROR_VALUES = 2_000;

const TOO_MANY_VALUES = failure(
  'malformed',
  `error in the response has more than ${MAX_ERROR_VALUES} values`,
);

/**
 * Maximum size of a node's error. Real errors have at most a few hundred KiB, for the data of a revert.
 * Unlike a result, an error is parsed, which takes far more time and memory than scanning it.
 */
export const MAX_ERROR_BYTES = 1_048_576;

export const ERROR_TOO_LARGE: Failure = {
  ...failure('too_large', 'error exceeds the size limit'),
  limit_bytes: MAX_ERROR_BYTES,
};

/** Returns the response with these members. */
export function responseOf(bytes: Buffer, members: Members): Response {
  const id = members.get('id');
  return {
    kind: 'response',
    id: id && textOf(bytes, id),
    isRequest: members.has('method'),
    outcome: outcomeOf(bytes, members),
  };
}

/** Returns the failure for an error thrown by a scanner; rethrows other errors. */
export function syntaxFailure(error: unknown): Failure {
  if (!(error instanceof JsonSyntaxError)) throw error;
  return failure(error instanceof JsonDepthError ? 'too_deep' : 'malformed', error.message);
}

/** The members of a response that are read; others are ignored. */
export const memberNames: ReadonlySet<string> = new Set([
  'jsonrpc',
  'id',
  'method',
  'result',
  'error',
]);

type Members = ReadonlyMap<string, Range>;

function outcomeOf(bytes: Buffer, members: Members): UpstreamOutcome {
  const result = members.get('result');
  const error = members.get('error');
  const violation = violationOf(bytes, members);
  if (error !== undefined && textOf(bytes, error) !== 'null') {
    if (error.end - error.start > MAX_ERROR_BYTES) return ERROR_TOO_LARGE;
    const errorBytes = bytes.subarray(error.start, error.end);
    if (hasMoreValues(errorBytes, MAX_ERROR_VALUES)) return TOO_MANY_VALUES;
    const nodeError = toNodeError(errorBytes);
    if (nodeError === undefined) return NO_CODE;
    const named = nodeError.message === '' ? 'error in the response has no message' : violation;
    return { kind: 'error', error: nodeError, ...(named !== undefined && { violation: named }) };
  }
  if (result === undefined) return NO_RESULT;
  return {
    kind: 'result',
    result: detached(bytes.subarray(result.start, result.end)),
    ...(violation !== undefined && { violation }),
  };
}

/** Returns how a usable response violates JSON-RPC 2.0, section 5. */
function violationOf(bytes: Buffer, members: Members): string | undefined {
  const jsonrpc = members.get('jsonrpc');
  if (jsonrpc === undefined) return 'response has no "jsonrpc": "2.0"';
  if (textOf(bytes, jsonrpc) !== '"2.0"') return '"jsonrpc" of the response is not "2.0"';
  if (members.has('result') && members.has('error')) {
    return 'response has both "result" and "error"';
  }
  return undefined;
}

/** Longer than any value that the text of a member is compared with. */
const MAX_TEXT_BYTES = 64;

/** Returns the beginning of a value as text. */
function textOf(bytes: Buffer, { start, end }: Range): string {
  return bytes.toString('utf8', start, Math.min(end, start + MAX_TEXT_BYTES));
}

/** Reads an error object; `data` also keeps its bytes. Returns undefined if it is not usable. */
function toNodeError(bytes: Buffer): NodeError | undefined {
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || !('code' in value)) return undefined;
  const { code } = value;
  if (typeof code !== 'number' || !Number.isInteger(code)) return undefined;
  const message = 'message' in value && typeof value.message === 'string' ? value.message : '';
  const range = rangeAt(bytes, '/data');
  if (!('data' in value) || range === undefined) return { code, message };
  const rawData = detached(bytes.subarray(range.start, range.end));
  return { code, message, data: value.data, rawData };
}

/**
 * Returns undefined for text that is not valid JSON; only the beginning of a large error has been checked.
 */
function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Returns the id of a request, even if it was sent back as a string. */
export function requestIdOf(id: string | undefined): string | undefined {
  return /^"?([1-9]\d{0,14})"?$/.exec(id ?? '')?.[1];
}
