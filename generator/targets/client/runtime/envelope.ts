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
  const text = calls.map((each) => each.text).join();
  return calls.length > 1 ? `[${text}]` : text;
}

/** The answers in a message, by id. */
export type Answers = ReadonlyMap<unknown, Envelope>;

/** Reads the answers in a message. Of several with one id the first counts; null is that of errors without. */
export function readAnswers(message: unknown): Answers {
  const answers = new Map<unknown, Envelope>();
  for (const each of [message].flat() as (Envelope | null)[]) {
    const id = each?.id ?? null;
    if (!answers.has(id) && (id !== null || isError(each))) answers.set(id, each!);
  }
  return answers;
}

/** The first of a text, for a message. */
export function excerpt(text: string): string {
  return JSON.stringify(text.slice(0, 99));
}

/** Whether an answer is an error of JSON-RPC; some servers send `error: null` beside a result. */
function isError(answer: Envelope | null | undefined): answer is { readonly error: WireError } {
  const error = answer?.error;
  return typeof error?.code === 'number' && typeof error.message === 'string';
}

/** Where an answer comes from. */
export interface Origin {
  /** The server, as it is shown in messages. */
  readonly where: string;
  /** The response over HTTP. */
  readonly response?: ResponseInfo | null;
  /** Why there is no result, whatever is said. */
  readonly trouble?: TransportError | undefined;
}

/** Settles a call with its answer, or with the error without an id, which speaks of all calls. */
export function settle(
  { id, call: { method }, resolve, reject }: QueuedCall,
  answers: Answers | undefined,
  { where, response = null, trouble }: Origin,
): void {
  const answer = answers?.get(id) ?? answers?.get(null);
  if (isError(answer)) reject(new RpcError(answer.error, method, response));
  else if (!trouble && answer?.result !== undefined && !answer.error) {
    resolve({ result: answer.result, response });
  } else {
    const message = `${where} gave no answer to ${method} in its JSON`;
    reject(trouble ?? new TransportError('not_json_rpc', message, { response }));
  }
}
