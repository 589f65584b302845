/**
 * Every bound of the gateway: what is larger, longer or more is refused, cut or given up. Units are
 * in the names. What the document says (size of a request, calls in a batch) replaces the values
 * here.
 */
export const defaultLimits = Object.freeze({
  // A request, as bytes.
  request_bytes: 1_048_576,
  /** Of a request that is too large, read and thrown away so that it can be answered. */
  discarded_bytes: 16_777_216,
  request_depth: 64,
  batch_calls: 1_000,
  batch_concurrency: 32,

  // An answer. The sum, for a batch; and what a WebSocket is sent as one message.
  response_bytes: 67_108_864,
  response_depth: 512,
  /** From how many bytes on the result of a single HTTP call is passed on as it comes. */
  stream_from_bytes: 1_048_576,
  /** Of such a result, in all. */
  stream_bytes: 1_073_741_824,
  /** Of such a result, waiting in memory for a caller that is slow. */
  stream_buffer_bytes: 262_144,
  /** For how long none of its bytes may move, and how long all of it may take. */
  stream_idle_ms: 30_000,
  stream_ms: 600_000,

  /** From how many bytes on an answer is compressed. */
  compress_from_bytes: 4_096,
  /** Answers compressed while they are sent, at one time; further ones are sent as they are. */
  compressed_streams: 64,

  // Connections of callers.
  connections: 10_000,
  http_headers_ms: 10_000,
  http_request_ms: 30_000,
  http_keep_alive_ms: 65_000,
  socket_calls_in_flight: 1_000,
  socket_pause_bytes: 1_048_576,
  socket_outgoing_bytes: 268_435_456,
  socket_heartbeat_ms: 30_000,

  // Calls to nodes.
  call_deadline_ms: 30_000,
  try_ms: 15_000,
  most_tries: 3,
  upstream_connections: 128,
  upstream_connect_ms: 3_000,
  upstream_calls_in_flight: 4_096,
  /** For how long an upstream is left alone at most that asks for it (`Retry-After`). */
  upstream_rest_ms: 60_000,
  probe_interval_ms: 1_000,
  probe_ms: 3_000,
  probe_failures: 2,

  // The store.
  key_refresh_ms: 300,
  store_wait_ms: 2_000,
  /** How long credits taken from the store live: what the store knows of usage is as old at most. */
  lease_ttl_ms: 15_000,
  /** How often leases are looked at; many times within the time above. */
  lease_tick_ms: 500,
  /** Calls of one account waiting for the store. */
  waiting_calls: 10_000,

  /** How long calls under way may take to end when the gateway stops. */
  drain_ms: 15_000,
});

export type Limits = { readonly [Name in keyof typeof defaultLimits]: number };
