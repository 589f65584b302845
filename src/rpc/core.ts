import type { CancelSignal } from '../time/cancellation.ts';
import type { RpcError } from '../errors/catalog.ts';
import { err } from '../errors/result.ts';
import { answerCall, type AnswerOptions, type ByteBudget } from './answer-call.ts';
import type { Answer, Backend, CallContext, CallResponse, Method, Retirement } from './call.ts';
import { BatchRate } from './batch-rate.ts';
import { answerBatch, answerError, answerSingle } from './compose.ts';
import { readMessage, type Message, type MessageLimits, type RpcRequest } from './message.ts';

export interface RpcLimits extends MessageLimits {
  readonly batch_concurrency: number;
  readonly response_bytes: number;
}

export interface RpcOptions<M extends Method, C> extends Omit<
  AnswerOptions<M, C>,
  'response_bytes' | 'load'
> {
  /** Called before a batch of this many calls is answered. */
  readonly onBatch?: (calls: number) => void;
  readonly limits: RpcLimits;
}

/** The socket-free core: bytes and a caller in, bytes and a status out (JSON-RPC 2.0). */
export interface Rpc<C> {
  /** Parses a message; never throws. */
  read(bytes: Buffer): Message;
  /** Performs the calls of a message. Returns a promise if it has to wait; never rejects. */
  answer(message: Message, caller: C, context: CallContext): Promise<Answer> | Answer;
  /** Answers a whole message with one error; without a message there is no id to echo. */
  refuse(message: Message | undefined, error: RpcError, requestId: string): Answer;
  /** Returns the number of calls accepted and not yet answered. */
  callsInFlight(): number;
}

export function createRpc<M extends Method, C>(options: RpcOptions<M, C>): Rpc<C> {
  const { limits, methods } = options;
  const load = { calls: 0 };
  const answerOptions = { ...options, response_bytes: limits.response_bytes, load };
  return {
    read: (bytes) => readMessage(bytes, limits),
    refuse: answerError,
    callsInFlight: () => load.calls,
    answer(message, caller, context) {
      if (message.kind === 'unreadable') return answerUnreadable(options, message, caller, context);
      const retirements = retirementsOf(methods, message.requests);
      const remaining_bytes = limits.response_bytes;
      if (message.kind === 'single') {
        const call = { request: message.requests[0]!, caller, context };
        return answerCall(answerOptions, call, { remaining_bytes }, (response) =>
          answerSingle(response, retirements),
        );
      }
      options.onBatch?.(message.requests.length);
      const budget: ByteBudget = { remaining_bytes, reserve: context.reserve };
      const rate = new BatchRate(options, context.requestId);
      const bounded = {
        ...answerOptions,
        backend: refuseOnceFull(options.backend, budget),
        ...(options.throttle && { throttle: rate.throttle }),
      };
      const whole = { ...context, streams: false, batch: budget };
      const responses = mapBounded<RpcRequest, CallResponse>(
        invalidateRepeats(methods, message.requests),
        {
          concurrency: limits.batch_concurrency,
          signal: context.signal,
          pause: pauseBetween(context, options.monotonic_ms),
        },
        (request) =>
          rate.refuse(request, caller) ??
          answerCall(bounded, { request, caller, context: whole }, budget, asIs),
      );
      return responses.then((all) => answerBatch(all, retirements));
    },
  };
}

function asIs(response: CallResponse): CallResponse {
  return response;
}

/** Rejects calls once a response has exceeded the budget of their batch. */
function refuseOnceFull<M extends Method, C>(
  backend: Backend<M, C>,
  budget: ByteBudget,
): Backend<M, C> {
  return (call, caller, signal) =>
    budget.refusal === undefined ? backend(call, caller, signal) : err(budget.refusal);
}

function answerUnreadable<M extends Method, C>(
  { errors, limits, throttle, observe }: RpcOptions<M, C>,
  message: Message & { kind: 'unreadable' },
  caller: C,
  { requestId }: CallContext,
): Answer {
  const allowed = throttle?.(caller);
  const data =
    message.reason === 'batch_too_large'
      ? { limitCalls: limits.batch_calls }
      : { detail: message.detail };
  const error = allowed?.ok === false ? allowed.error : errors.fail(message.reason, { data });
  const outcome = error.reason;
  observe?.({ caller, requestId, method: null, outcome, credits: 0, duration_ms: 0 });
  return answerError(message, error, requestId);
}

/** Returns the retirements of the called methods; undefined when there are none. */
function retirementsOf(
  methods: ReadonlyMap<string, Method>,
  requests: readonly RpcRequest[],
): readonly Retirement[] | undefined {
  let found: Set<Retirement> | undefined;
  for (const { method } of requests) {
    const retirement = methods.get(method)?.retirement;
    if (retirement !== undefined) found = (found ?? new Set()).add(retirement);
  }
  return found && [...found];
}

/** Marks requests as invalid if they repeat a method that a batch may call only once. */
function invalidateRepeats(
  methods: ReadonlyMap<string, Method>,
  requests: readonly RpcRequest[],
): readonly RpcRequest[] {
  const called = new Set<string>();
  return requests.map((request) => {
    const { id, method } = request;
    if (id === null || methods.get(method)?.isOncePerBatch !== true) return request;
    if (called.has(method)) {
      const invalid = `expected ${method} at most once per batch, got it again; reuse its first response`;
      return { ...request, invalid };
    }
    called.add(method);
    return request;
  });
}

/** How long a batch runs before it waits for its caller's next turn; most batches take less. */
const BATCH_SLICE_MS = 1;

/** Returns a function that returns what to wait for before the next call of a batch; undefined: nothing. */
function pauseBetween(
  { turn }: CallContext,
  monotonic_ms: () => number,
): () => Promise<void> | undefined {
  let started_ms = monotonic_ms();
  return () => {
    if (turn === undefined || monotonic_ms() - started_ms < BATCH_SLICE_MS) return undefined;
    const paused = turn();
    started_ms = monotonic_ms();
    return paused?.then(() => void (started_ms = monotonic_ms()));
  };
}

interface MapOptions {
  readonly concurrency: number;
  readonly signal: CancelSignal;
  /** Called before each item; no item is started until its promise resolves. */
  readonly pause: () => Promise<void> | undefined;
}

/**
 * Maps items in order, at most `concurrency` at a time. Once `signal` is aborted no item is started;
 * the result of an item that was not started is undefined.
 */
function mapBounded<T, R>(
  items: readonly T[],
  { concurrency, signal, pause }: MapOptions,
  map: (item: T) => Promise<R> | R,
): Promise<(R | undefined)[]> {
  return new Promise((resolve, reject) => {
    const results = Array.from<R | undefined>({ length: items.length });
    let next = 0;
    let running = 0;
    let isPaused = false;
    const resume = (): void => {
      isPaused = false;
      start();
    };
    const start = (): void => {
      while (!isPaused && running < concurrency && next < items.length && !signal.aborted) {
        const paused = pause();
        if (paused !== undefined) {
          isPaused = true;
          void paused.then(resume);
          return;
        }
        const index = next;
        next += 1;
        const result = map(items[index]!);
        if (!(result instanceof Promise)) {
          results[index] = result;
          continue;
        }
        running += 1;
        const end = (value: R): void => {
          results[index] = value;
          running -= 1;
          start();
        };
        result.then(end, reject);
      }
      if (running === 0 && !isPaused) resolve(results);
    };
    start();
  });
}
