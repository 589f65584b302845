import type { ResponseHeaders, ResponseInfo, Transport } from './transport.ts';
import type { Retry } from './with-retry.ts';

/** An attempt at a call, as hooks are told of it. */
export interface Attempt {
  readonly method: string;
  readonly params: unknown;
  /** From 1; a call that is sent again has the next. */
  readonly attempt: number;
}

/** How an attempt ended: with a result, or with the error it came to. */
export interface Outcome extends Attempt {
  readonly durationMs: number;
  /** The HTTP response; null on a socket, and when there was none. */
  readonly response: ResponseInfo | null;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** For logging and tracing. A hook that throws fails the call. */
export interface Hooks {
  /** Told of each attempt before it is sent. */
  readonly onRequest?: ((attempt: Attempt) => void) | undefined;
  /** Told how each attempt ended. */
  readonly onResponse?: ((outcome: Outcome) => void) | undefined;
  /** Told of each call that will be sent again, before the wait. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export interface ClientOptions<Wide = never> extends Hooks {
  /** Carries the calls: `http({ url })`, `webSocket({ url })`, or a function of your own. */
  readonly transport: Transport<Wide>;
  /** The time each call has, in milliseconds (30,000), retries and waiting included; Infinity for no limit. */
  readonly timeoutMs?: number | undefined;
  /** How often a call that failed on the way is sent again (3); 0: never. */
  readonly retries?: number | undefined;
  /** The wait before the first retry is at most so long (150 ms), each further one at most twice the one before. */
  readonly backoffMs?: number | undefined;
  /** The longest wait (10,000 ms); a server that asks for a longer one is not asked again. */
  readonly maxBackoffMs?: number | undefined;
}

/** What one call may set, after its parameters. */
export interface CallOptions {
  /** Aborts the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** This call's time in milliseconds, in place of the client's. */
  readonly timeoutMs?: number | undefined;
}

/** A result with what came with it. */
export interface WithResponse<Result> {
  readonly result: Result;
  /** What the call cost: as the server says of this call, else as the document does; null when neither does. */
  readonly credits: number | null;
  /** Null over a socket. A batch's are those of all its calls. */
  readonly headers: ResponseHeaders | null;
  /** The HTTP status; null over a socket. */
  readonly status: number | null;
  /** Names the request in the logs of the service. */
  readonly requestId: string | null;
}

/** A call under way: its result, or its result with what came with it. */
export interface PendingCall<Result> extends Promise<Result> {
  withResponse(): Promise<WithResponse<Result>>;
}
