import type { NodeError } from '../errors/catalogue.ts';
import { rangeAt, scanText, type JsonText, type Member } from '../json/ranges.ts';
import { JsonSyntaxError } from '../json/scanner.ts';
import type { UpstreamCall, UpstreamOutcome } from './upstream.ts';
import { failure } from './failure.ts';

/** A JSON-RPC response object, as far as it was read. */
export interface Response {
  /** As written; undefined when there is none. */
  readonly id: string | undefined;
  /** Whether it is no response at all but a request or notification of the node's. */
  readonly isRequest: boolean;
  readonly outcome: UpstreamOutcome;
}

/** A call as a JSON-RPC request with an id of ours. */
export function encodeRequest(id: number, { method, params }: UpstreamCall): Buffer {
  const head = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":`;
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(head) + params.length + 1);
  const at = bytes.write(head);
  params.copy(bytes, at);
  bytes[bytes.length - 1] = 0x7d;
  return bytes;
}

/** Finds what a node answered to request `id`; a result is passed on as the bytes it came in. */
export function decodeResponse(bytes: Buffer, id: number, max_depth: number): UpstreamOutcome {
  const response = readResponse(bytes, max_depth);
  if (typeof response === 'string') return failure('malformed', response);
  return response.id === String(id)
    ? response.outcome
    : failure('malformed', 'the answer has another id than the request');
}

/** Reads a response to any request; or tells why it is none. */
export function readResponse(bytes: Buffer, max_depth: number): Response | string {
  let text: JsonText;
  try {
    text = scanText(bytes, max_depth);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return error.message;
  }
  if (text.kind !== 'object') return 'the answer is not an object';
  const parts = pick(text.members);
  return {
    id: parts.id === undefined ? undefined : textOf(bytes, parts.id),
    isRequest: parts.method !== undefined,
    outcome: outcomeOf(bytes, parts),
  };
}

type Part = 'jsonrpc' | 'id' | 'method' | 'result' | 'error';
type Parts = { [Name in Part]?: Member };

function outcomeOf(bytes: Buffer, parts: Parts): UpstreamOutcome {
  const { result, error } = parts;
  const breach = breachOf(bytes, parts);
  const noted = breach === undefined ? {} : { breach };
  if (error !== undefined && textOf(bytes, error) !== 'null') {
    const nodeError = toNodeError(bytes.subarray(error.start, error.end));
    return nodeError === undefined
      ? failure('malformed', 'the error of the answer has no code')
      : { kind: 'error', error: nodeError, ...(nodeError.message === '' ? NO_MESSAGE : noted) };
  }
  if (result === undefined) return failure('malformed', 'the answer has no result');
  return { kind: 'result', result: bytes.subarray(result.start, result.end), ...noted };
}

const NO_MESSAGE = { breach: 'the error of the answer has no message' };

/** How a response that can be used breaks JSON-RPC 2.0 (section 5) all the same. */
function breachOf(bytes: Buffer, { jsonrpc, result, error }: Parts): string | undefined {
  if (jsonrpc === undefined) return 'the answer has no "jsonrpc": "2.0"';
  if (textOf(bytes, jsonrpc) !== '"2.0"') return '"jsonrpc" of the answer is not "2.0"';
  if (result !== undefined && error !== undefined)
    return 'the answer has both "result" and "error"';
  return undefined;
}

function pick(members: readonly Member[]): Parts {
  const parts: Parts = {};
  for (const member of members) {
    const { name } = member;
    if (isPart(name)) {
      parts[name] = member;
    }
  }
  return parts;
}

function isPart(name: string): name is Part {
  return (
    name === 'jsonrpc' ||
    name === 'id' ||
    name === 'result' ||
    name === 'error' ||
    name === 'method'
  );
}

function textOf(bytes: Buffer, { start, end }: Member): string {
  return bytes.toString('utf8', start, end);
}

/** Reads an error object in text that was scanned; its data keeps its bytes. */
function toNodeError(bytes: Buffer): NodeError | undefined {
  const value: unknown = JSON.parse(bytes.toString());
  if (typeof value !== 'object' || value === null || !('code' in value)) return undefined;
  const { code } = value;
  if (typeof code !== 'number' || !Number.isInteger(code)) return undefined;
  const message = 'message' in value && typeof value.message === 'string' ? value.message : '';
  const written = rangeAt(bytes, '/data');
  if (!('data' in value) || written === undefined) return { code, message };
  const rawData = bytes.subarray(written.start, written.end);
  return { code, message, data: value.data, rawData };
}
