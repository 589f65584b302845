import type { RpcError } from '../errors/catalog.ts';
import { PASSED, type Result } from '../errors/result.ts';
import type { AnswerOptions } from './answer-call.ts';
import type { CallResponse, Method } from './call.ts';
import { prepareError } from './compose.ts';
import type { RpcRequest } from './message.ts';

type RateOptions<M extends Method, C> = Pick<
  AnswerOptions<M, C>,
  'throttle' | 'observe' | 'methods'
>;

/**
 * Ends a batch early if its account is over the rate limit: after the first call that the limit
 * rejects, the remaining ones get the same error, encoded once, without checking the limit again.
 */
export class BatchRate<M extends Method, C> {
  readonly #options: RateOptions<M, C>;
  readonly #requestId: string;
  #error: RpcError | undefined;
  #compose: ((id: Buffer) => readonly Buffer[]) | undefined;

  constructor(options: RateOptions<M, C>, requestId: string) {
    this.#options = options;
    this.#requestId = requestId;
  }

  /** Applies the rate limit to a call, and remembers the error if the call is rejected. */
  readonly throttle = (caller: C): Result<undefined> => {
    const allowed = this.#options.throttle?.(caller) ?? PASSED;
    if (!allowed.ok) this.#error ??= allowed.error;
    return allowed;
  };

  /** Returns the response to a call if an earlier one was rejected; undefined otherwise. */
  refuse({ id, method }: RpcRequest, caller: C): CallResponse | undefined {
    const error = this.#error;
    if (error === undefined) return undefined;
    if (id === null) return { body: [], credits: 0 };
    const { methods, observe } = this.#options;
    const requestId = this.#requestId;
    this.#compose ??= prepareError(error, requestId);
    observe?.({
      caller,
      requestId,
      method: methods.has(method) ? method : null,
      outcome: error.reason,
      credits: 0,
      duration_ms: 0,
    });
    return { body: this.#compose(id), credits: 0, error };
  }
}
