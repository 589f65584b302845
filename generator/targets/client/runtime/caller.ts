import { readDuration } from './bounds.ts';
import { type CatalogueRow, toRpcError } from './error-catalogue.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import type { Call } from './transport.ts';
import { withTimeout } from './with-timeout.ts';

/** Makes one call and gives its result; an error answer is thrown as its typed error. */
export type Caller = (call: Call, options: CallOptions) => Promise<unknown>;

/** A signal that never aborts, for calls that bring none. */
const never = (): AbortSignal => new AbortController().signal;

/**
 * Composes what lies between a client's members and its transport.
 * @throws TypeError when an option cannot be used.
 */
export function createCaller(options: ClientOptions, catalogue: readonly CatalogueRow[]): Caller {
  const timeoutMs = readDuration('timeoutMs', options.timeoutMs ?? 30_000);
  return async (call, callOptions) => {
    const limitMs = readDuration('timeoutMs', callOptions.timeoutMs ?? timeoutMs);
    const send = withTimeout(options.transport, limitMs);
    const answer = await send(call, { signal: callOptions.signal ?? never() });
    const { response, error } = answer;
    if (response !== null) {
      options.onResponse?.(response, call.method);
      callOptions.onResponse?.(response, call.method);
    }
    if (error === undefined) return answer.result;
    throw toRpcError(catalogue, error, { method: call.method, response });
  };
}
