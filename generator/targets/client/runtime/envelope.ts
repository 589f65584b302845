import { RpcError, type WireError } from './rpc-error.ts';
import type { Call, ResponseInfo } from './transport.ts';
import type { QueuedCall } from './queue.ts';

/** A JSON-RPC 2.0 answer, as far as it has what one has. */
interface Envelope {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: WireError | null;
}

/** What is sent of calls: one as it is, several as a batch. */
export function joinCalls(calls: readonly QueuedCall[]): string {
  return calls[1] ? `[${calls.map(({ text }) => text)}]` : calls[0]!.text;
}

/** The answers in a message, by id; null is that of errors without. */
export type Answers = ReadonlyMap<unknown, Envelope>;

/** Reads the answers in a message. Of several with one id the first counts. */
export function readAnswers(message: unknown): Answers {
  return new Map(
    ([message].flat().reverse() as Envelope[]).map((each) => [
      (each as Envelope | null)?.id ?? null,
      each,
    ]),
  );
}

/** The first of a text, for a message. */
export function excerpt(text: string): string {
  return JSON.stringify(text.slice(0, 99));
}

/**
 * Settles a call with its answer, or with the error without an id, which speaks of all calls;
 * `fail` tells why it has none.
 */
export function settleCall(
  { id, call, settle }: QueuedCall,
  answers: Answers | undefined,
  response: ResponseInfo | null,
  fail: (call: Call) => unknown,
): void {
  const own = answers?.get(id);
  // Some servers send `error: null` beside a result.
  const error = (own ?? answers?.get(null))?.error;
  if (typeof error?.code === 'number' && typeof error.message === 'string') {
    settle(new RpcError(error, call.method, response));
  } else if (error || own?.result === undefined || (response?.status as number) > 299) {
    settle(fail(call));
  } else settle(null, { result: own.result, response });
}
