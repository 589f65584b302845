import type { JsonCodec, ResponseHeaders, Transport } from './transport.ts';
import type { RetryOptions } from './with-retry.ts';

export interface ClientOptions<Wide = never> extends RetryOptions {
  /** `http({ url })`, `webSocket({ url })`, or a function of your own. */
  readonly transport: Transport<Wide>;
  /** Timeout of each call in milliseconds, including retries (default: 30,000); Infinity for none. */
  readonly timeoutMs?: number | undefined;
}

/** Options of one call, passed after its params. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the client's timeout, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

export interface WithResponse<Result> {
  readonly result: Result;
  /** The cost of the call, from the response or else from the document; null if unknown. */
  readonly credits: number | null;
  /** Shared by all calls of a batch; null over a WebSocket. */
  readonly headers: ResponseHeaders | null;
  /** The HTTP status; null over a WebSocket. */
  readonly status: number | null;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | null;
}

/** A promise of a call's result. `withResponse` also returns cost, status and headers. */
export interface PendingCall<Result> extends Promise<Result> {
  withResponse(): Promise<WithResponse<Result>>;
}

export interface BatchOptions {
  /** Maximum number of calls in a batch (default: 100). */
  readonly size?: number | undefined;
  /** How long to collect a batch, in milliseconds (default: 0, until the running code yields). */
  readonly waitMs?: number | undefined;
}

/** Options of both transports. */
export interface TransportOptions<Wide = never> {
  /** The service's URL, including the API key if the service expects it there. */
  readonly url: string | URL;
  /** Batching of concurrent calls; false sends each call alone. */
  readonly batch?: BatchOptions | false | undefined;
  /** Maximum number of waiting calls (default: 10,000); further calls are rejected. */
  readonly maxWaiting?: number | undefined;
  /** Maximum size of a response in bytes (default: 256 MiB). */
  readonly maxResponseBytes?: number | undefined;
  /** Replaces `JSON`: `exactJson` keeps integers beyond 2^53. */
  readonly json?: JsonCodec<Wide> | undefined;
}
