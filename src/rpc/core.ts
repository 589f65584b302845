import type { RpcError } from '../errors/catalog.ts';
import { answerCall, type AnswerOptions, type Part } from './answer-call.ts';
import type { Method, Retirement, StreamFate } from './call.ts';
import { composeError, NULL_ID } from './compose.ts';
import type { Envelope } from './envelope.ts';
import type { CallContext } from './front.ts';
import { mapBounded } from './map-bounded.ts';
import { refuseRepeats } from './refuse-repeats.ts';
import { retiring } from './retirement.ts';
import { readMessage, type Message, type MessageLimits } from './message.ts';

export interface RpcLimits extends MessageLimits {
  readonly batch_concurrency: number;
  readonly response_bytes: number;
}

/** What goes back to the caller. */
export interface Answer {
  /** HTTP status; 204 when there is nothing to answer. */
  readonly status: number;
  /** The body in chunks; empty when there is nothing to answer. */
  readonly body: readonly Buffer[];
  /** In place of a body: one that comes, to be iterated once. It throws when it is cut short. */
  readonly stream?: AsyncIterable<Buffer>;
  /** Credits charged for all of it; for a stream, once it is whole. */
  readonly credits: number;
  /** The partner that answered, or that answered a part of a batch. */
  readonly forwardedTo?: string;
  /** Of the methods that were called; absent when all of them stay. */
  readonly retirements?: readonly Retirement[] | undefined;
  /** The error of a single call, or of a message refused whole. */
  readonly error?: RpcError;
  /** Called once, with how the delivery of the body ended; absent where nothing depends on it. */
  readonly conclude?: (fate: StreamFate) => void;
}

export interface RpcOptions<M extends Method, C> extends Omit<
  AnswerOptions<M, C>,
  'response_bytes' | 'load'
> {
  /** A batch of so many calls is about to be answered. */
  readonly onBatch?: (calls: number) => void;
  readonly limits: RpcLimits;
}

/** The socket-free core: bytes and a caller in, bytes and a status out (JSON-RPC 2.0). */
export interface Rpc<C> {
  /** Reads a message; never throws. */
  read(bytes: Buffer): Message;
  /** Performs what a message asks for; never rejects. */
  answer(message: Message, caller: C, context: CallContext): Promise<Answer>;
  /** Answers a message with one error as a whole; a message that was not read has no id to echo. */
  refuse(message: Message | undefined, error: RpcError, requestId: string): Answer;
  /** Calls taken and not yet answered. */
  callsInFlight(): number;
}

export function createRpc<M extends Method, C>(options: RpcOptions<M, C>): Rpc<C> {
  const { limits } = options;
  const load = { calls: 0 };
  const answerOptions = { ...options, response_bytes: limits.response_bytes, load };
  return {
    read: (bytes) => readMessage(bytes, limits),
    refuse: refuseMessage,
    callsInFlight: () => load.calls,
    async answer(message, caller, context) {
      if (message.kind === 'unreadable') {
        const error = options.throttle?.(caller) ?? unreadableError(options, message);
        const { requestId } = context;
        const outcome = error.reason;
        options.observe?.({ caller, requestId, method: null, outcome, credits: 0, duration_ms: 0 });
        return refuseMessage(message, error, requestId);
      }
      const retirements = retiring(options.methods, message.envelopes);
      const room = { left_bytes: limits.response_bytes };
      if (message.kind === 'single') {
        const envelope = message.envelopes[0]!;
        const part = await answerCall(answerOptions, { envelope, caller, context }, room);
        return { ...toAnswer(part), retirements };
      }
      const whole = { ...context, streams: false };
      const answerOne = (envelope: Envelope): Promise<Part> =>
        answerCall(answerOptions, { envelope, caller, context: whole }, room);
      options.onBatch?.(message.envelopes.length);
      const concurrency = limits.batch_concurrency;
      const bounds = { concurrency, signal: context.signal };
      const envelopes = refuseRepeats(options.methods, message.envelopes);
      const parts = await mapBounded(envelopes, bounds, answerOne);
      return { ...joinParts(parts), retirements };
    },
  };
}

function toAnswer(part: Part): Answer {
  const isSilent = part.body.length === 0 && part.stream === undefined;
  return { status: isSilent ? 204 : (part.error?.status ?? 200), ...part };
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/** A batch's answer has status 200 whatever its parts say. */
function joinParts(parts: readonly (Part | undefined)[]): Answer {
  const body: Buffer[] = [];
  let credits = 0;
  const forwarded: { forwardedTo?: string } = {};
  const concluding: ((fate: StreamFate) => void)[] = [];
  for (const part of parts) {
    if (part === undefined || part.body.length === 0) continue;
    if (part.conclude !== undefined) concluding.push(part.conclude);
    credits += part.credits;
    if (part.forwardedTo !== undefined) forwarded.forwardedTo = part.forwardedTo;
    body.push(body.length === 0 ? OPEN : COMMA, ...part.body);
  }
  if (body.length === 0) return { status: 204, body, credits };
  body.push(CLOSE);
  const conclude = (fate: StreamFate): void => concluding.forEach((each) => each(fate));
  return { status: 200, body, credits, ...forwarded, conclude };
}

/** A batch is answered by an array of one, so that a client that sent an array finds an array. */
function refuseMessage(message: Message | undefined, error: RpcError, requestId: string): Answer {
  const isBatch = message?.kind === 'batch' || error.reason === 'batch_too_large';
  const id = message?.kind === 'single' ? message.envelopes[0]?.id : NULL_ID;
  const response = composeError(id ?? NULL_ID, error, requestId);
  const body = isBatch ? [OPEN, response, CLOSE] : [response];
  return { status: error.status, body, credits: 0, error };
}

function unreadableError<M extends Method, C>(
  { errors, limits }: RpcOptions<M, C>,
  message: Message & { kind: 'unreadable' },
): RpcError {
  return message.reason === 'batch_too_large'
    ? errors.fail('batch_too_large', { data: { limitCalls: limits.batch_calls } })
    : errors.fail(message.reason, { data: { detail: message.detail } });
}
