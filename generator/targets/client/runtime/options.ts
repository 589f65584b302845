import type { ResponseHeaders, Transport } from './transport.ts';
import type { RetryOptions } from './with-retry.ts';

export interface ClientOptions<Wide = never> extends RetryOptions {
  /** Carries the calls: `http({ url })`, `webSocket({ url })`, or a function of your own. */
  readonly transport: Transport<Wide>;
  /** The time each call has, in milliseconds (30,000), retries and waiting included; Infinity for no limit. */
  readonly timeoutMs?: number | undefined;
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
