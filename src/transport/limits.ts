import type { TransportLimits } from './network-service.ts';

/**
 * Limits of the transports, per process unless stated otherwise; units are in the names. The limits that
 * are shares of `unsent_bytes` change with it when it is configured (src/config/limits.ts).
 */
export const defaultTransportLimits = Object.freeze({
  request_bytes: 1_048_576,
  /** Reading on lets the client receive the 413 instead of a reset connection. */
  discarded_bytes: 16_777_216,
  http_headers_ms: 10_000,
  /** Half a minute suffices for a full request over a slow mobile link. */
  http_request_ms: 30_000,
  /** Above the 60 seconds of common load balancers, so that they close idle connections first. */
  http_keep_alive_ms: 65_000,
  /** All requests of a read are parsed at once, and each costs an error with a stack if its connection closes. */
  http_pipelined: 32,
  /** Enough for a client that retries with a wrong key, too few for guessing keys. */
  http_refusals: 8,
  connections: 10_000,
  socket_calls_in_flight: 1_000,
  /** Enough responses to keep a fast reader busy while reading pauses. */
  socket_pause_bytes: 1_048_576,
  /** Below the idle timeout of common proxies and NATs. */
  socket_heartbeat_ms: 30_000,
  unsent_bytes: 536_870_912,
  unsent_account_bytes: 268_435_456,
  unsent_anonymous_bytes: 33_554_432,
  unsent_connection_bytes: 134_217_728,
} satisfies Omit<TransportLimits, 'stream_idle_ms'>);
