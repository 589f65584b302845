import type { RpcError } from '../errors/catalog.ts';
import { detached } from '../json/detached.ts';
import type { Answer, CallResponse, DeliveryOutcome, Retirement } from './call.ts';
import { NULL_ID, type Message } from './message.ts';

const HEAD = Buffer.from('{"jsonrpc":"2.0","id":');
const RESULT = Buffer.from(',"result":');
const ERROR = Buffer.from(',"error":');
const TAIL = Buffer.from('}');

/** Larger results are sent as a chunk of their own instead of being copied. */
const MAX_COPY_BYTES = 64 * 1024;

/** Returns the end of a response; a forwarded one has the name of the partner. */
function tailOf(forwardedTo: string | undefined): Buffer {
  if (forwardedTo === undefined) return TAIL;
  return Buffer.from(`,"x-forwarded-to":${JSON.stringify(forwardedTo)}}`);
}

/** Returns a success response in chunks; `id` and `result` keep their bytes. */
export function composeResult(id: Buffer, result: Buffer, forwardedTo?: string): readonly Buffer[] {
  const tail = tailOf(forwardedTo);
  if (result.length > MAX_COPY_BYTES) return [Buffer.concat([HEAD, id, RESULT]), result, tail];
  return [Buffer.concat([HEAD, id, RESULT, result, tail])];
}

/** As `composeResult`, but in chunks that the answer to a batch joins with those of other calls. */
export function composePart(id: Buffer, result: Buffer, forwardedTo?: string): readonly Buffer[] {
  return [HEAD, id, RESULT, result, tailOf(forwardedTo)];
}

/** Returns a success response around a streamed result. */
export function composeStream(
  id: Buffer,
  result: AsyncIterable<Buffer>,
  forwardedTo?: string,
): AsyncGenerator<Buffer, void, undefined> {
  // Copied now: the id keeps the whole request in memory.
  return surround(Buffer.concat([HEAD, id, RESULT]), result, forwardedTo);
}

async function* surround(
  head: Buffer,
  result: AsyncIterable<Buffer>,
  forwardedTo: string | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  yield head;
  yield* result;
  yield tailOf(forwardedTo);
}

/** Returns an error response. Errors of the gateway carry the request id; a node's are unchanged. */
export function composeError(
  id: Buffer,
  error: RpcError,
  requestId: string,
  forwardedTo?: string,
): Buffer {
  return Buffer.concat([HEAD, id, ERROR, encodeError(error, requestId), tailOf(forwardedTo)]);
}

/** Encodes an error once for many calls; the returned function composes the response to each. */
export function prepareError(
  error: RpcError,
  requestId: string,
): (id: Buffer) => readonly Buffer[] {
  const tail = Buffer.concat([ERROR, encodeError(error, requestId), TAIL]);
  return (id) => [HEAD, id, tail];
}

function encodeError(error: RpcError, requestId: string): Buffer {
  const { code, message, data, rawData } = error;
  if (error.origin === 'gateway') {
    const ownData = { ...(data as object), requestId };
    return Buffer.from(JSON.stringify({ code, message, data: ownData }));
  }
  if (rawData === undefined) return Buffer.from(JSON.stringify({ code, message, data }));
  const head = JSON.stringify({ code, message }).slice(0, -1);
  return Buffer.concat([Buffer.from(`${head},"data":`), rawData, TAIL]);
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

type Retirements = readonly Retirement[] | undefined;

/** Returns the answer to a single call. */
export function answerSingle(response: CallResponse, retirements?: Retirements): Answer {
  const isSilent = response.body.length === 0 && response.stream === undefined;
  const status = isSilent ? 204 : (response.error?.status ?? 200);
  return { ...response, status, retirements };
}

/** Returns the answer to a batch: status 200 whatever the responses are, or 204 without responses. */
export function answerBatch(
  responses: readonly (CallResponse | undefined)[],
  retirements?: Retirements,
): Answer {
  const body: Buffer[] = [];
  let credits = 0;
  let forwardedTo: string | undefined;
  const settlers: ((delivery: DeliveryOutcome) => void)[] = [];
  for (const response of responses) {
    if (response === undefined || response.body.length === 0) continue;
    if (response.settle !== undefined) settlers.push(response.settle);
    credits += response.credits;
    forwardedTo = response.forwardedTo ?? forwardedTo;
    body.push(body.length === 0 ? OPEN : COMMA, ...response.body);
  }
  if (body.length === 0) return { status: 204, body, credits, retirements };
  body.push(CLOSE);
  const settle = (delivery: DeliveryOutcome): void => settlers.forEach((each) => each(delivery));
  return { status: 200, body: joinSmall(body), credits, forwardedTo, settle, retirements };
}

/** Joins small chunks: sending a chunk costs more than copying it. */
function joinSmall(chunks: readonly Buffer[]): readonly Buffer[] {
  const joined: Buffer[] = [];
  let small: Buffer[] = [];
  let small_bytes = 0;
  const flush = (): void => {
    if (small.length > 0) joined.push(Buffer.concat(small, small_bytes));
    small = [];
    small_bytes = 0;
  };
  for (const chunk of chunks) {
    if (small_bytes + chunk.length > MAX_COPY_BYTES) flush();
    if (chunk.length > MAX_COPY_BYTES) {
      // A long id keeps the whole request in memory.
      joined.push(detached(chunk));
      continue;
    }
    small.push(chunk);
    small_bytes += chunk.length;
  }
  flush();
  return joined;
}

/** Answers a whole message with one error; a batch gets an array, as its client expects. */
export function answerError(
  message: Message | undefined,
  error: RpcError,
  requestId: string,
): Answer {
  const isBatch = message?.kind === 'batch' || error.reason === 'batch_too_large';
  const id = message?.kind === 'single' ? message.requests[0]?.id : NULL_ID;
  const response = composeError(id ?? NULL_ID, error, requestId);
  const body = isBatch ? [OPEN, response, CLOSE] : [response];
  return { status: error.status, body, credits: 0, error };
}
