/** Every bound of the upstream room, for one network; units are in the names. */
export const defaultUpstreamLimits = Object.freeze({
  // A call, over all its tries.
  call_deadline_ms: 30_000,
  try_ms: 15_000,
  most_tries: 3,
  /** Kept of the deadline for a partner, where one may be asked. */
  partner_ms: 10_000,

  // An upstream.
  /** For calls; an eighth more for accounts below their share, and two for probes. */
  upstream_connections: 128,
  upstream_connect_ms: 3_000,
  /** Answers streamed at one time; never more than half of the connections: readers may be slow. */
  upstream_streams: 64,
  upstream_calls_in_flight: 256,
  upstream_calls_queued: 2_048,
  /** Attempts that a circuit breaker remembers, and how many of them may fail. */
  breaker_attempts: 20,
  breaker_failures: 10,
  /** For how long it opens at first, and at most. */
  breaker_open_ms: 1_000,
  breaker_most_open_ms: 60_000,
  /** For how long it is left alone when it asks for that. */
  upstream_rest_ms: 60_000,

  // Following an upstream.
  probe_interval_ms: 1_000,
  probe_ms: 3_000,
  probe_failures: 2,
  /** Probes of the newest block for each one of the newest final block. */
  probes_per_finalized: 12,
  /** For how long the height of an upstream that is no longer fit is remembered. */
  height_memory_ms: 600_000,

  // An answer.
  response_bytes: 67_108_864,
  response_depth: 512,
  /** Of all answers of one upstream that are being collected. */
  held_bytes: 536_870_912,
  stream_from_bytes: 1_048_576,
  /** Also how much of an answer over WebSocket that is too large is read. */
  stream_bytes: 1_073_741_824,
  stream_buffer_bytes: 262_144,
  stream_idle_ms: 30_000,
  stream_ms: 600_000,

  // A WebSocket to an upstream.
  upstream_send_bytes: 16_777_216,
  upstream_heartbeat_ms: 15_000,
  redial_first_ms: 100,
  redial_most_ms: 15_000,
  /** How long a connection has to last for the next one to be dialled without delay. */
  redial_stable_ms: 10_000,
});

export type UpstreamLimits = { readonly [Name in keyof typeof defaultUpstreamLimits]: number };
