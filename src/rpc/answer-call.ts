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
import { composeError, composeResult, composeStream } from './compose.ts';
import { dispatchCall, type DispatchOptions } from './dispatcher.ts';
import { NULL_ID } from './message.ts';

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

/** The bytes that responses to a message may still fill. */
export interface ByteBudget {
  remaining_bytes: number;
  /** Why a response did not fit. Calls of the message not yet started are refused with it, unsent. */
  refusal?: RpcError;
  /** Reserves bytes of the caller's account; absent: they are not counted. */
  readonly reserve?: CallContext['reserve'];
}

const MIN_RESPONSE_BYTES = '{"jsonrpc":"2.0","id":1,"result":0}'.length;

/** Performs one call and composes its response; never rejects. */
export async function answerCall<M extends Method, C>(
  options: AnswerOptions<M, C>,
  call: PendingCall<C>,
  budget: ByteBudget,
): Promise<CallResponse> {
  const started_ms = options.monotonic_ms();
  options.load.calls += 1;
  const trace = startTrace(options, call);
  const finish = finisher(options, call, trace, started_ms);
  const outcome = await dispatchCall(options, trace === undefined ? call : { ...call, trace });
  if (outcome === undefined) {
    options.load.calls -= 1;
    return { body: [], credits: 0 };
  }
  if (outcome.ok && !isBytes(outcome.value)) {
    return respondWithStream(call, { ...outcome, stream: outcome.value }, finish);
  }
  const composed = composeResponse(options, { outcome, ...call }, budget);
  // The time to deliver a whole answer is the caller's, so it does not count.
  return respond(call, { ...composed, ended_ms: options.monotonic_ms() }, finish);
}

/** Closes the charge of a call that has ended, and reports the call. */
type Finish = (label: string, delivery: DeliveryOutcome, call: Ending) => void;

interface Ending {
  readonly charge?: Charge | undefined;
  readonly error?: RpcError | undefined;
  /** Absent: the call ends with its delivery. */
  readonly ended_ms?: number;
}

function finisher<M extends Method, C>(
  options: AnswerOptions<M, C>,
  call: PendingCall<C>,
  trace: CallTrace | undefined,
  started_ms: number,
): Finish {
  return (outcome, delivery, { charge, error, ended_ms }) => {
    const isCut = delivery === 'cut';
    const credits = isCut ? 0 : (charge?.credits ?? 0);
    if (isCut) charge?.release();
    else charge?.settle();
    options.load.calls -= 1;
    const isFailure = isCut || (error?.status ?? 0) >= MIN_SERVER_ERROR;
    trace?.end({ outcome, credits, code: error?.code, isFailure });
    options.observe?.({
      caller: call.caller,
      requestId: call.context.requestId,
      method: knownMethod(options, call),
      outcome,
      credits,
      duration_ms: (ended_ms ?? options.monotonic_ms()) - started_ms,
    });
  };
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

/** Outcome label of a call whose collected answer the gateway cut before the caller had all of it. */
const ANSWER_CUT = 'answer_cut';

/** Returns how the delivery of an answer ends that can no longer be delivered. */
function abandonedDelivery({ signal }: CallContext): 'caller_left' | 'cut' {
  return signal.reason === SERVER_CLOSED ? 'cut' : 'caller_left';
}

/**
 * Responds with a streamed result. It is charged once it is delivered or the caller has left, since
 * a node answered. A stream that the gateway cuts costs nothing.
 */
function respondWithStream<C>(
  { request, context }: PendingCall<C>,
  { stream, charge, forwardedTo }: Omit<Outcome, 'ok'> & { readonly stream: StreamedResult },
  finish: Finish,
): CallResponse {
  const onEnded = (ended: DeliveryOutcome): void => {
    const delivery = ended === 'caller_left' ? abandonedDelivery(context) : ended;
    finish(streamLabels[delivery], delivery, { charge });
  };
  void stream.ended.then(onEnded);
  return {
    body: [],
    stream: composeStream(request.id ?? NULL_ID, stream, forwardedTo),
    credits: charge?.credits ?? 0,
    forwardedTo,
  };
}

/** Responds with a whole body, which is charged once its delivery has ended. */
function respond<C>(
  { context }: PendingCall<C>,
  { charge, ended_ms, ...response }: ChargedResponse & { readonly ended_ms: number },
  finish: Finish,
): CallResponse {
  const ended = { charge, error: response.error, ended_ms };
  if (context.signal.aborted) {
    const delivery = abandonedDelivery(context);
    finish(streamLabels[delivery], delivery, ended);
    return delivery === 'cut' ? { ...response, credits: 0 } : response;
  }
  const label = response.error?.reason ?? 'ok';
  if (charge === undefined) {
    finish(label, 'complete', ended);
    return response;
  }
  const settle = (delivery: DeliveryOutcome): void =>
    finish(delivery === 'cut' ? ANSWER_CUT : label, delivery, ended);
  return { ...response, settle };
}

type ChargedResponse = CallResponse & { readonly charge?: Charge | undefined };

/**
 * Returns a response with its charge. When it exceeds the budget, an error instead, which is charged
 * only if the caller's own bytes are the reason (D17): a node has done the work.
 */
function composeResponse<M extends Method, C>(
  options: AnswerOptions<M, C>,
  { outcome, request, context }: PendingCall<C> & { readonly outcome: Outcome },
  budget: ByteBudget,
): ChargedResponse {
  const id = request.id ?? NULL_ID;
  const { charge, forwardedTo } = outcome;
  const refuse = (error: RpcError): CallResponse => {
    charge?.release();
    return { body: [composeError(id, error, context.requestId)], credits: 0, error };
  };
  const error = outcome.ok ? undefined : outcome.error;
  let body: readonly Buffer[];
  try {
    body = outcome.ok
      ? composeResult(id, outcome.value as Buffer, forwardedTo)
      : [composeError(id, outcome.error, context.requestId, forwardedTo)];
  } catch (cause) {
    // A backend may put anything into the data of an error, even what JSON cannot represent.
    options.onError(cause, context.requestId);
    return refuse(options.errors.fail('internal_error'));
  }
  const length = body.reduce((sum, chunk) => sum + chunk.length, 0);
  if (error?.origin !== 'gateway') {
    const refusal = refusalOf(options, length, budget);
    if (refusal !== undefined) {
      budget.refusal = refusal.error;
      if (!refusal.isCharged) return refuse(refusal.error);
      const refused = [composeError(id, refusal.error, context.requestId)];
      const credits = charge?.credits ?? 0;
      return { body: refused, charge, credits, forwardedTo, error: refusal.error };
    }
  }
  budget.remaining_bytes -= length;
  if (budget.remaining_bytes < MIN_RESPONSE_BYTES) budget.refusal ??= tooLarge(options);
  return {
    body,
    charge,
    credits: charge?.credits ?? 0,
    forwardedTo,
    error,
  };
}

/** Reserves the bytes of a response; returns the error if it does not fit. */
function refusalOf<M extends Method, C>(
  options: AnswerOptions<M, C>,
  length_bytes: number,
  { remaining_bytes, reserve }: ByteBudget,
): { readonly error: RpcError; readonly isCharged: boolean } | undefined {
  if (length_bytes > remaining_bytes) return { error: tooLarge(options), isCharged: false };
  const limit = reserve?.(length_bytes);
  if (limit === undefined) return undefined;
  const data = { scope: 'account' };
  const error = options.errors.fail('too_many_calls_in_flight', { data });
  return { error, isCharged: limit === 'caller_limit' };
}

function tooLarge<M extends Method, C>({ errors, response_bytes }: AnswerOptions<M, C>): RpcError {
  return errors.fail('response_too_large', { data: { limitBytes: response_bytes } });
}
