import type { RpcError } from '../errors/catalog.ts';
import type { CallStart, CallTrace } from '../tracing/trace.ts';
import {
  isBytes,
  SERVER_CLOSED,
  type CallContext,
  type CallResponse,
  type Charge,
  type DeliveryOutcome,
  type Method,
  type Outcome,
  type PendingCall,
  type StreamedResult,
} from './call.ts';
import { composeError, composePart, composeResult, composeStream } from './compose.ts';
import { dispatchCall, type DispatchOptions } from './dispatcher.ts';
import { BATCH_CALL_BYTES, NULL_ID } from './message.ts';

export interface AnswerOptions<M extends Method, C> extends DispatchOptions<M, C> {
  /** Maximum size of a response, and of all responses of a batch together. */
  readonly response_bytes: number;
  readonly monotonic_ms: () => number;
  readonly observe?: (event: CallEvent<C>) => void;
  /** Starts to trace a call. */
  readonly trace?: ((start: CallBegin, caller: C) => CallTrace) | undefined;
  /** Calls accepted and not yet answered, streams included; counted here. */
  readonly load: { calls: number };
}

type CallBegin = Pick<CallStart, 'method' | 'requestId' | 'id' | 'origin'>;

/** A call that has ended. */
export interface CallEvent<C> {
  readonly caller: C;
  readonly requestId: string;
  /** Null when the method is unknown. */
  readonly method: string | null;
  /** `ok`, the reason of the error, or how the delivery was interrupted. */
  readonly outcome: string;
  readonly credits: number;
  readonly duration_ms: number;
}

/** The bytes that remain for the responses to a message. */
export interface ByteBudget {
  remaining_bytes: number;
  /**
   * Why a response did not fit. Calls of the message that have not started are rejected with it and
   * not sent.
   */
  refusal?: RpcError;
  /** Reserves bytes of the caller's account; absent: they are not counted. */
  readonly reserve?: CallContext['reserve'];
}

const MIN_RESPONSE_BYTES = '{"jsonrpc":"2.0","id":1,"result":0}'.length;

/** Performs one call and passes its response to `answer`; neither throws nor rejects. */
export function answerCall<M extends Method, C, R>(
  options: AnswerOptions<M, C>,
  call: PendingCall<C>,
  budget: ByteBudget,
  answer: (response: CallResponse) => R,
): R | Promise<R> {
  const running = new RunningCall(options, call, budget);
  const { trace } = running;
  return dispatchCall(options, trace === undefined ? call : { ...call, trace }, (outcome) =>
    answer(running.respond(call, outcome)),
  );
}

/**
 * A call from its start until its charge is closed and it is reported. Does not keep the request, whose parts
 * keep the whole message in memory: the response may stay unread for long after the request has been released.
 */
class RunningCall<M extends Method, C> {
  readonly trace: CallTrace | undefined;
  readonly #options: AnswerOptions<M, C>;
  readonly #caller: C;
  readonly #context: CallContext;
  /** Null when it is unknown. */
  readonly #method: string | null;
  readonly #budget: ByteBudget;
  readonly #started_ms: number;

  constructor(options: AnswerOptions<M, C>, call: PendingCall<C>, budget: ByteBudget) {
    this.#options = options;
    this.#caller = call.caller;
    this.#context = call.context;
    this.#method = knownMethod(options, call);
    this.#budget = budget;
    this.#started_ms = options.monotonic_ms();
    options.load.calls += 1;
    this.trace = startTrace(options, call);
  }

  /** Responds to the call that it was created for. */
  respond(call: PendingCall<C>, outcome: Outcome | undefined): CallResponse {
    if (outcome === undefined) {
      this.#options.load.calls -= 1;
      return NOTHING;
    }
    if (outcome.ok && !isBytes(outcome.value)) {
      return this.#respondWithStream(call.request.id ?? NULL_ID, outcome.value, outcome);
    }
    return this.#respondWhole(composeResponse(this.#options, call, outcome, this.#budget));
  }

  /**
   * Responds with a streamed result. It is charged once it is delivered or the caller has left, since
   * a node answered. A stream that the gateway cuts costs nothing.
   */
  #respondWithStream(
    id: Buffer,
    stream: StreamedResult,
    { charge, forwardedTo }: Pick<Outcome, 'charge' | 'forwardedTo'>,
  ): CallResponse {
    const onEnded = (ended: DeliveryOutcome): void => {
      const delivery = ended === 'caller_left' ? abandonedDelivery(this.#context) : ended;
      this.#finish(streamLabels[delivery], delivery, { charge });
    };
    void stream.ended.then(onEnded);
    return {
      body: [],
      stream: composeStream(id, stream, forwardedTo),
      credits: charge?.credits ?? 0,
      forwardedTo,
    };
  }

  /** Responds with a whole body, which is charged once its delivery has ended. */
  #respondWhole({ response, charge }: Composed): CallResponse {
    const context = this.#context;
    // The time to deliver a whole response depends on the caller, so it does not count.
    const ended = { charge, error: response.error, ended_ms: this.#options.monotonic_ms() };
    if (context.signal.aborted) {
      const delivery = abandonedDelivery(context);
      this.#finish(streamLabels[delivery], delivery, ended);
      return delivery === 'cut' ? { ...response, credits: 0 } : response;
    }
    const label = response.error?.reason ?? 'ok';
    if (charge === undefined) {
      this.#finish(label, 'complete', ended);
      return response;
    }
    response.settle = (delivery) =>
      this.#finish(delivery === 'cut' ? ANSWER_CUT : label, delivery, ended);
    return response;
  }

  /** Closes the charge of a call that has ended, and reports the call. */
  #finish(outcome: string, delivery: DeliveryOutcome, { charge, error, ended_ms }: Ending): void {
    const options = this.#options;
    const isCut = delivery === 'cut';
    const credits = isCut ? 0 : (charge?.credits ?? 0);
    if (isCut) charge?.release();
    else charge?.settle();
    options.load.calls -= 1;
    const isFailure = isCut || (error?.status ?? 0) >= MIN_SERVER_ERROR;
    this.trace?.end({ outcome, credits, code: error?.code, isFailure });
    options.observe?.({
      caller: this.#caller,
      requestId: this.#context.requestId,
      method: this.#method,
      outcome,
      credits,
      duration_ms: (ended_ms ?? options.monotonic_ms()) - this.#started_ms,
    });
  }
}

const NOTHING: CallResponse = Object.freeze({ body: [], credits: 0 });

interface Ending {
  readonly charge?: Charge | undefined;
  readonly error?: RpcError | undefined;
  /** Absent: the call ends with its delivery. */
  readonly ended_ms?: number;
}

/** Lowest HTTP status of an error that the caller did not cause. */
const MIN_SERVER_ERROR = 500;

/** Notifications are not traced: they stop at the rate limit. */
function startTrace<M extends Method, C>(
  options: AnswerOptions<M, C>,
  call: PendingCall<C>,
): CallTrace | undefined {
  const { id } = call.request;
  if (options.trace === undefined || id === null) return undefined;
  const { requestId, origin } = call.context;
  return options.trace({ method: knownMethod(options, call), requestId, id, origin }, call.caller);
}

function knownMethod<M extends Method, C>(
  { methods }: AnswerOptions<M, C>,
  { request }: PendingCall<C>,
): string | null {
  return methods.has(request.method) ? request.method : null;
}

/** Outcome label of a streamed call, and of a call whose caller has left. */
const streamLabels: Readonly<Record<DeliveryOutcome, string>> = {
  complete: 'ok',
  caller_left: 'caller_left',
  cut: 'stream_cut',
};

/** Outcome label of a call whose response, not streamed, was cut by the gateway during its delivery. */
const ANSWER_CUT = 'response_cut';

/** Returns the outcome of a delivery that can no longer complete. */
function abandonedDelivery({ signal }: CallContext): 'caller_left' | 'cut' {
  return signal.reason === SERVER_CLOSED ? 'cut' : 'caller_left';
}

/** A response, and the charge to close once its delivery has ended. */
interface Composed {
  readonly response: { -readonly [Name in keyof CallResponse]: CallResponse[Name] };
  readonly charge: Charge | undefined;
}

/**
 * Returns a response with its charge. A response that exceeds the budget is replaced by an error, which
 * is charged only if the caller's own bytes are the reason: a node has done the work.
 */
function composeResponse<M extends Method, C>(
  options: AnswerOptions<M, C>,
  { request, context }: PendingCall<C>,
  outcome: Outcome,
  budget: ByteBudget,
): Composed {
  const id = request.id ?? NULL_ID;
  const { charge, forwardedTo } = outcome;
  const refuse = (error: RpcError): Composed => {
    charge?.release();
    const body = [composeError(id, error, context.requestId)];
    return { response: { body, credits: 0, error }, charge: undefined };
  };
  const error = outcome.ok ? undefined : outcome.error;
  let body: readonly Buffer[];
  try {
    body = outcome.ok
      ? (context.batch === undefined ? composeResult : composePart)(
          id,
          outcome.value as Buffer,
          forwardedTo,
        )
      : [composeError(id, outcome.error, context.requestId, forwardedTo)];
  } catch (cause) {
    // A backend may put anything into the data of an error, even what JSON cannot represent.
    options.onError(cause, context.requestId);
    return refuse(options.errors.fail('internal_error'));
  }
  const credits = charge?.credits ?? 0;
  const length = lengthOf(body);
  if (error?.origin !== 'gateway' || length > BATCH_CALL_BYTES) {
    const refusal = refusalOf(options, length, budget);
    if (refusal !== undefined) {
      budget.refusal = refusal.error;
      if (!refusal.isCharged) return refuse(refusal.error);
      const refused = [composeError(id, refusal.error, context.requestId)];
      const response = { body: refused, credits, forwardedTo, error: refusal.error };
      return { response, charge };
    }
  }
  budget.remaining_bytes -= length;
  if (budget.remaining_bytes < MIN_RESPONSE_BYTES) budget.refusal ??= tooLarge(options);
  return { response: { body, credits, forwardedTo, error }, charge };
}

function lengthOf(body: readonly Buffer[]): number {
  let length = 0;
  for (const chunk of body) length += chunk.length;
  return length;
}

/** Reserves the bytes of a response; returns the error if it does not fit. */
function refusalOf<M extends Method, C>(
  options: AnswerOptions<M, C>,
  length_bytes: number,
  { remaining_bytes, reserve }: ByteBudget,
): { readonly error: RpcError; readonly isCharged: boolean } | undefined {
  if (length_bytes > remaining_bytes) return { error: tooLarge(options), isCharged: true };
  const limit = reserve?.(length_bytes);
  if (limit === undefined) return undefined;
  const data = { scope: 'account' };
  const error = options.errors.fail('too_many_calls_in_flight', { data });
  return { error, isCharged: limit === 'caller_limit' };
}

function tooLarge<M extends Method, C>({ errors, response_bytes }: AnswerOptions<M, C>): RpcError {
  return errors.fail('response_too_large', { data: { limitBytes: response_bytes } });
}
