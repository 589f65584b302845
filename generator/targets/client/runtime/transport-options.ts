import type { JsonCodec } from './transport.ts';

/** How calls are collected to batches. */
export interface BatchOptions {
  /** Most calls of a batch (100). */
  readonly size?: number | undefined;
  /** How long a batch is collected, in milliseconds; 0, the default: what is called in the same turn. */
  readonly waitMs?: number | undefined;
}

/** What every transport can be told. */
export interface TransportOptions<Wide = never> {
  /** The service's address, with the API key where the service wants it. */
  readonly url: string | URL;
  /** How calls are collected to batches; false: each goes by itself. */
  readonly batch?: BatchOptions | false | undefined;
  /** Calls that may wait (10,000); one more is refused. */
  readonly maxWaiting?: number | undefined;
  /** Another reader and writer of JSON: `exactJson` keeps integers beyond 2^53. */
  readonly json?: JsonCodec<Wide> | undefined;
}
