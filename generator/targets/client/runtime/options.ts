import type { ResponseInfo, Transport } from './transport.ts';

export interface ClientOptions {
  /** Carries the calls: `http({ url })`, `webSocket({ url })`, or a function of your own. */
  readonly transport: Transport;
  /** The time each call has, in milliseconds (30,000); Infinity for no limit. */
  readonly timeoutMs?: number | undefined;
  /** Told of the HTTP response of each call. */
  readonly onResponse?: ((response: ResponseInfo, method: string) => void) | undefined;
}

/** What one call may set, after its parameters. */
export interface CallOptions {
  /** Aborts the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** This call's time in milliseconds, in place of the client's. */
  readonly timeoutMs?: number | undefined;
  /** Told of this call's HTTP response (status and headers), before the call settles. */
  readonly onResponse?: ((response: ResponseInfo, method: string) => void) | undefined;
}
