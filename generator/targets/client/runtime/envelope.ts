import { TransportError } from './client-error.ts';
import { hasNotifications } from './facts.ts';
import { RpcError, type WireError } from './rpc-error.ts';
import type { Call, JsonCodec, ResponseInfo } from './transport.ts';
import type { QueuedCall } from './queue.ts';

/** A JSON-RPC 2.0 answer, as far as it has what one has. */
interface Envelope {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: WireError | null;
}

/** Writes a call as a JSON-RPC 2.0 request; a notification has no id. */
export function writeCall(
  { method, params, notification }: Call,
  id: number,
  json: JsonCodec<unknown>,
): string {
  return json.stringify({
    jsonrpc: '2.0',
    id: hasNotifications && notification ? undefined : id,
    method,
    params,
  });
}

/** What is sent of calls: one as it is, several as a batch. */
export function joinCalls(calls: readonly QueuedCall[]): string {
  const texts = calls.map(({ text }) => text);
  return texts.length > 1 ? `[${texts.join()}]` : texts[0]!;
}

/** The answers in a message, by id. */
export type Answers = ReadonlyMap<unknown, Envelope>;

/** Reads the answers in a message. Of several with one id the first counts; no id is null. */
export function readAnswers(message: unknown): Answers {
  const answers = new Map<unknown, Envelope>();
  for (const each of [message].flat() as (Envelope | null)[]) {
    const id = each?.id ?? null;
    if (typeof each === 'object' && each && !answers.has(id)) answers.set(id, each);
  }
  return answers;
}

/** The first of a text, for a message. */
export function excerpt(text: string): string {
  return JSON.stringify(text.slice(0, 99));
}

/** Whether an answer is an error of JSON-RPC; some servers send `error: null` beside a result. */
export function isError(answer: Envelope | undefined): answer is { readonly error: WireError } {
  const error = answer?.error;
  return typeof error?.code === 'number' && typeof error.message === 'string';
}

/** Settles a call with what answers it, of the server `where`, in a response over HTTP. */
export function settle(
  { call: { method }, resolve, reject }: QueuedCall,
  answer: Envelope | undefined,
  where: string,
  response: ResponseInfo | null = null,
): void {
  if (isError(answer)) reject(new RpcError(answer.error, method, response));
  else if (answer && 'result' in answer && !answer.error) {
    resolve({ result: answer.result, response });
  } else {
    const message = `${where} sent no JSON-RPC answer to ${method}`;
    reject(new TransportError('not_json_rpc', message, { response }));
  }
}
