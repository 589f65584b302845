import { defaultUpstreamLimits } from '../upstream/limits.ts';

/**
 * Every bound of the gateway: what is larger, longer or more is refused, cut or given up. Units are
 * in the names. What the document says (size of a request, calls in a batch) replaces the values
 * here, and what an operator sets replaces both. `limit-notes.ts` says what each is for.
 */
export const defaultLimits = Object.freeze({
  // A request, as bytes.
  request_bytes: 1_048_576,
  discarded_bytes: 16_777_216,
  request_depth: 64,
  batch_calls: 1_000,
  batch_concurrency: 32,

  // Compression of answers to callers.
  compress_from_bytes: 4_096,
  compressed_streams: 64,

  // Answers that callers have not taken yet.
  unsent_bytes: 536_870_912,
  unsent_account_bytes: 268_435_456,
  unsent_anonymous_bytes: 33_554_432,
  unsent_connection_bytes: 134_217_728,

  // Connections of callers.
  connections: 10_000,
  http_headers_ms: 10_000,
  http_request_ms: 30_000,
  http_keep_alive_ms: 65_000,
  account_connections: 2_000,
  account_calls_in_flight: 2_000,
  http_pipelined: 128,
  http_refusals: 8,
  socket_calls_in_flight: 1_000,
  socket_pause_bytes: 1_048_576,
  socket_heartbeat_ms: 30_000,

  // Calls to nodes, and their answers.
  ...defaultUpstreamLimits,

  // The store.
  key_refresh_ms: 300,
  store_wait_ms: 2_000,
  lease_ttl_ms: 15_000,
  lease_tick_ms: 500,
  waiting_calls: 10_000,

  // The end.
  drain_ms: 15_000,
});

export type Limits = { readonly [Name in keyof typeof defaultLimits]: number };
export type LimitName = keyof Limits;
