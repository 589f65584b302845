import type { NodeError } from '../errors/catalogue.ts';
import { scanText, type JsonText, type Member } from '../json/ranges.ts';
import { JsonSyntaxError } from '../json/scanner.ts';
import { failure, type UpstreamCall, type UpstreamOutcome } from './upstream.ts';

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
  let text: JsonText;
  try {
    text = scanText(bytes, max_depth);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return failure('malformed', error.message);
  }
  if (text.kind !== 'object') return failure('malformed', 'the answer is not an object');
  const parts = pick(text.members);
  if (parts.id === undefined || textOf(bytes, parts.id) !== String(id)) {
    return failure('malformed', 'the answer has another id than the request');
  }
  if (parts.error !== undefined && textOf(bytes, parts.error) !== 'null') {
    const error = toNodeError(JSON.parse(textOf(bytes, parts.error)));
    return error === undefined
      ? failure('malformed', 'the error of the answer has no code')
      : { kind: 'error', error };
  }
  if (parts.result === undefined) return failure('malformed', 'the answer has no result');
  return { kind: 'result', result: bytes.subarray(parts.result.start, parts.result.end) };
}

function pick(members: readonly Member[]): { id?: Member; result?: Member; error?: Member } {
  const parts: { id?: Member; result?: Member; error?: Member } = {};
  for (const member of members) {
    if (member.name === 'id' || member.name === 'result' || member.name === 'error') {
      parts[member.name] = member;
    }
  }
  return parts;
}

function textOf(bytes: Buffer, { start, end }: Member): string {
  return bytes.toString('utf8', start, end);
}

function toNodeError(value: unknown): NodeError | undefined {
  if (typeof value !== 'object' || value === null || !('code' in value)) return undefined;
  const { code } = value;
  if (typeof code !== 'number' || !Number.isInteger(code)) return undefined;
  const message = 'message' in value && typeof value.message === 'string' ? value.message : '';
  return 'data' in value ? { code, message, data: value.data } : { code, message };
}
