import { RpcError, type WireError } from './errors.ts';
import type { QueuedCall } from './queue.ts';
import type { Call, ResponseInfo } from './transport.ts';

/** A JSON-RPC 2.0 response, unchecked. */
interface Envelope {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: WireError | null;
}

/** Writes a request, or a batch of several. */
export function joinCalls(calls: readonly QueuedCall[]): string {
  return calls[1] ? `[${calls.map(({ text }) => text)}]` : calls[0]!.text;
}

/** Responses by id; errors without an id are under null. */
export type Answers = ReadonlyMap<unknown, Envelope>;

/** Reads the responses of a message. Of several with one id, the first counts. */
export function readAnswers(message: unknown): Answers {
  return new Map(
    ([message].flat().reverse() as Envelope[]).map((each) => [
      (each as Envelope | null)?.id ?? null,
      each,
    ]),
  );
}

/** Returns the start of a text, for an error message. */
export function excerpt(text: string): string {
  return JSON.stringify(text.slice(0, 99));
}

/**
 * Settles a call with its response, or with an error without an id, which applies to all calls. `fail`
 * creates the error for a call without either.
 */
export function settleCall(
  { id, call, settle }: QueuedCall,
  answers: Answers | undefined,
  response: ResponseInfo | null,
  fail: (call: Call) => unknown,
): void {
  const own = answers?.get(id);
  // Some servers send `error: null` with a result.
  const error = (own ?? answers?.get(null))?.error;
  if (typeof error?.code === 'number' && typeof error.message === 'string') {
    settle(new RpcError(error, call.method, response));
  } else if (error || own?.result === undefined || (response?.status as number) > 299) {
    settle(fail(call));
  } else settle(null, { result: own.result, response });
}
