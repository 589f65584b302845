/** Maximum number of 1xx responses before the actual one: each takes as much time as a small response. */
export const MAX_INFORMATIONAL = 16;

/** Every bound of this module, per network; units are in the names. */
export const defaultUpstreamLimits = Object.freeze({
  // A call with all its attempts.
  call_deadline_ms: 30_000,
  attempt_ms: 15_000,
  max_attempts: 3,
  /** Reserved for the partner within the deadline of calls that may be forwarded. */
  partner_ms: 10_000,

  // A node.
  /** Connections for calls. As many again are reserved for accounts below their share, and two for probes. */
  upstream_connections: 128,
  upstream_connect_ms: 3_000,
  /** Concurrent streams; never more than half of the connections, since readers may be slow. */
  upstream_streams: 64,
  upstream_calls_in_flight: 256,
  upstream_calls_queued: 2_048,
  /**
   * How long a node with `callsInFlight` is taken to work on a call that has ended without a response. Erigon ends
   * its calls after this time by default.
   */
  late_response_ms: 300_000,
  /** Attempts that the circuit breaker remembers, and failures among them that open it. */
  breaker_attempts: 20,
  breaker_failures: 10,
  breaker_open_ms: 1_000,
  breaker_max_open_ms: 60_000,
  /** Maximum cooldown that a node can ask for. */
  upstream_max_cooldown_ms: 60_000,

  // Probes.
  probe_interval_ms: 1_000,
  probe_ms: 3_000,
  probe_failures: 2,
  /** Probes of the latest block for each probe of the latest finalized block. */
  probes_per_finalized: 12,
  /** How long the height of an unhealthy node still counts. */
  height_memory_ms: 600_000,

  // A response.
  response_bytes: 67_108_864,
  response_depth: 512,
  /** Total size of the responses of a node that are being buffered. */
  held_bytes: 536_870_912,
  /** Smaller responses are checked in full before they are passed on. */
  stream_from_bytes: 65_536,
  /**
   * Maximum size of a streamed response; also of an oversized WebSocket message that is read and discarded.
   */
  stream_bytes: 1_073_741_824,
  stream_buffer_bytes: 262_144,
  stream_idle_ms: 30_000,
  stream_ms: 600_000,

  /** Cached results of a network. */
  cache_bytes: 67_108_864,

  // A WebSocket connection.
  upstream_send_bytes: 16_777_216,
  upstream_heartbeat_ms: 15_000,
  reconnect_first_ms: 100,
  reconnect_max_ms: 15_000,
  /** A connection that lasted this long is replaced without delay. */
  reconnect_stable_ms: 10_000,
});

export type UpstreamLimits = { readonly [Name in keyof typeof defaultUpstreamLimits]: number };
