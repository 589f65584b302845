import type { RpcError } from '../errors/catalog.ts';
import type { Charge, Method, Outcome, StreamFate } from './call.ts';
import type { CallStart, CallTrace } from '../tracing/trace.ts';
import { composeError, composeResult, composeStream, NULL_ID } from './compose.ts';
import {
  performCall,
  SERVICE_ENDS,
  type CallContext,
  type FrontOptions,
  type Job,
} from './front.ts';

export interface AnswerOptions<M extends Method, C> extends FrontOptions<M, C> {
  /** Highest sum of the bytes of a batch's answers, and highest size of a single one. */
  readonly response_bytes: number;
  readonly monotonic_ms: () => number;
  readonly observe?: (event: CallEvent<C>) => void;
  /** Begins to follow a call. */
  readonly trace?: ((start: CallBegin, caller: C) => CallTrace) | undefined;
  /** Calls taken and not yet answered, streams included; counted here. */
  readonly load: { calls: number };
}

export type CallBegin = Pick<CallStart, 'method' | 'requestId' | 'id' | 'origin'>;

/** One call, when it has ended. */
export interface CallEvent<C> {
  readonly caller: C;
  readonly requestId: string;
  /** Null when the table has no such method. */
  readonly method: string | null;
  /** `ok`, or the reason of the error; of a stream cut short, whether by us or by the caller. */
  readonly outcome: string;
  readonly credits: number;
  readonly duration_ms: number;
}

/** The answer to one call: its response object in chunks, none for a notification. */
export interface Part {
  readonly body: readonly Buffer[];
  /** In place of a body: the response object as it comes. Iterating throws when it is cut short. */
  readonly stream?: AsyncIterable<Buffer>;
  readonly credits: number;
  readonly forwardedTo?: string;
  readonly error?: RpcError;
  /**
   * Of a body that has a price: called once, with how its delivery ended. Until then it is reserved;
   * it is paid unless the delivery was `lost`.
   */
  readonly conclude?: (fate: StreamFate) => void;
}

/** Bytes that answers may still fill. */
export interface Room {
  left_bytes: number;
}

/** Performs one call and composes its response; never rejects. */
export async function answerCall<M extends Method, C>(
  options: AnswerOptions<M, C>,
  job: Job<C>,
  room: Room,
): Promise<Part> {
  const started_ms = options.monotonic_ms();
  options.load.calls += 1;
  const trace = startTrace(options, job);
  const outcome = await performCall(options, trace === undefined ? job : { ...job, trace });
  if (outcome === undefined) {
    options.load.calls -= 1;
    return { body: [], credits: 0 };
  }
  // Of a whole answer the time it takes to deliver is the caller's.
  const answered_ms = 'stream' in outcome ? undefined : options.monotonic_ms();
  const tell = (told: string, credits: number, error?: RpcError): void => {
    options.load.calls -= 1;
    const isFault =
      told === endings.lost || told === ANSWER_CUT || (error?.status ?? 0) >= LEAST_FAULT;
    trace?.end({ outcome: told, credits, code: error?.code, isFault });
    options.observe?.({
      caller: job.caller,
      requestId: job.context.requestId,
      method: knownMethod(options, job),
      outcome: told,
      credits,
      duration_ms: (answered_ms ?? options.monotonic_ms()) - started_ms,
    });
  };
  if ('stream' in outcome) return openPart({ outcome, ...job }, tell);
  const { charge, ...part } = composePart(options, { outcome, ...job }, room);
  const conclude = (fate: StreamFate, ending: string): void => {
    if (fate === 'lost') charge?.release();
    else charge?.settle();
    tell(ending, fate === 'lost' ? 0 : part.credits, part.error);
  };
  if (job.context.signal.aborted) {
    const fate = abandonedFate(job.context);
    conclude(fate, endings[fate]);
    return fate === 'lost' ? { ...part, credits: 0 } : part;
  }
  const ending = part.error?.reason ?? 'ok';
  if (charge === undefined) {
    tell(ending, part.credits, part.error);
    return part;
  }
  return { ...part, conclude: (fate) => conclude(fate, fate === 'lost' ? ANSWER_CUT : ending) };
}

/** How a call ended whose answer, whole, we cut off before its caller had it. */
const ANSWER_CUT = 'answer_cut';

/** HTTP statuses from here on tell of faults that are not the caller's. */
const LEAST_FAULT = 500;

/** A notification goes no further than the rate limit: there is nothing to follow. */
function startTrace<M extends Method, C>(
  options: AnswerOptions<M, C>,
  job: Job<C>,
): CallTrace | undefined {
  const { id } = job.envelope;
  if (options.trace === undefined || id === null) return undefined;
  const { requestId, origin } = job.context;
  return options.trace({ method: knownMethod(options, job), requestId, id, origin }, job.caller);
}

function knownMethod<M extends Method, C>(
  { methods }: AnswerOptions<M, C>,
  { envelope }: Job<C>,
): string | null {
  return methods.has(envelope.method) ? envelope.method : null;
}

type Streaming = Extract<Outcome, { stream: unknown }>;

/** What a call is told to have ended in whose answer was a stream. */
const endings: Readonly<Record<StreamFate, string>> = {
  all: 'ok',
  left: 'caller_left',
  lost: 'stream_cut',
};

/** What became of an answer that no one waits for any more: the caller left, or was cut off by us. */
function abandonedFate({ signal }: CallContext): 'left' | 'lost' {
  return signal.reason === SERVICE_ENDS ? 'lost' : 'left';
}

/**
 * The response to a call whose result is a stream. It bears its price, which is paid once the stream
 * is whole or the caller has left it: a node answered. What we cut short costs nothing.
 */
function openPart<C>(
  { outcome, envelope, context }: Job<C> & { outcome: Streaming },
  tell: (ending: string, credits: number) => void,
): Part {
  const { stream, charge, forwardedTo } = outcome;
  const credits = charge?.credits ?? 0;
  const conclude = (told: StreamFate): void => {
    const fate = told === 'left' ? abandonedFate(context) : told;
    if (fate === 'lost') charge?.release();
    else charge?.settle();
    tell(endings[fate], fate === 'lost' ? 0 : credits);
  };
  void stream.fate.then(conclude);
  return {
    body: [],
    stream: composeStream(envelope.id ?? NULL_ID, stream),
    credits,
    ...(forwardedTo === undefined ? {} : { forwardedTo }),
  };
}

/** The answer with its charge, or an error without one when it does not fit into the room. */
function composePart<M extends Method, C>(
  options: AnswerOptions<M, C>,
  { outcome, envelope, context }: Job<C> & { outcome: Exclude<Outcome, Streaming> },
  room: Room,
): Part & { readonly charge?: Charge | undefined } {
  const id = envelope.id ?? NULL_ID;
  const error = 'error' in outcome ? outcome.error : undefined;
  let body: readonly Buffer[];
  try {
    body =
      'result' in outcome
        ? composeResult(id, outcome.result)
        : [composeError(id, outcome.error, context.requestId)];
  } catch (fault) {
    // The data of an error may be anything a backend was given, which JSON may not hold.
    outcome.charge?.release();
    options.onFault(fault, context.requestId);
    return refusal(options.errors.fail('internal_error'), id, context);
  }
  const length = body.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length > room.left_bytes && error?.origin !== 'gateway') {
    outcome.charge?.release();
    const data = { limitBytes: options.response_bytes };
    return refusal(options.errors.fail('response_too_large', { data }), id, context);
  }
  room.left_bytes -= length;
  const { charge, forwardedTo } = outcome;
  return {
    body,
    charge,
    credits: charge?.credits ?? 0,
    ...(forwardedTo === undefined ? {} : { forwardedTo }),
    ...(error === undefined ? {} : { error }),
  };
}

function refusal(error: RpcError, id: Buffer, { requestId }: CallContext): Part {
  return { body: [composeError(id, error, requestId)], credits: 0, error };
}
