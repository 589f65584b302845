import type { RpcError } from '../errors/catalog.ts';

const HEAD = Buffer.from('{"jsonrpc":"2.0","id":');
const RESULT = Buffer.from(',"result":');
const ERROR = Buffer.from(',"error":');
const TAIL = Buffer.from('}');

export const NULL_ID = Buffer.from('null');

/** Above this a result is sent as a chunk of its own instead of being copied. */
const COPY_BYTES = 64 * 1024;

/** A success response, in chunks: `id` and `result` keep their bytes. */
export function composeResult(id: Buffer, result: Buffer): readonly Buffer[] {
  if (result.length > COPY_BYTES) return [Buffer.concat([HEAD, id, RESULT]), result, TAIL];
  return [Buffer.concat([HEAD, id, RESULT, result, TAIL])];
}

/** The same around a result that comes in pieces. */
export async function* composeStream(
  id: Buffer,
  result: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  yield Buffer.concat([HEAD, id, RESULT]);
  yield* result;
  yield TAIL;
}

/** An error response. A gateway's error tells the request id in `data`; a node's is left alone. */
export function composeError(id: Buffer, error: RpcError, requestId: string): Buffer {
  return Buffer.concat([HEAD, id, ERROR, encodeError(error, requestId), TAIL]);
}

function encodeError(error: RpcError, requestId: string): Buffer {
  const { code, message, data, rawData } = error;
  if (error.origin === 'gateway') {
    const told = { code, message, data: { ...(data as object), requestId } };
    return Buffer.from(JSON.stringify(told));
  }
  if (rawData === undefined) return Buffer.from(JSON.stringify({ code, message, data }));
  const head = JSON.stringify({ code, message }).slice(0, -1);
  return Buffer.concat([Buffer.from(`${head},"data":`), rawData, TAIL]);
}
