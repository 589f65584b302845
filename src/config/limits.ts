import { defaultCreditLimits } from '../credits/limits.ts';
import { defaultTransportLimits } from '../transport/limits.ts';
import { defaultUpstreamLimits } from '../upstream/limits.ts';

/** All limits, with their defaults. Only those in `publicLimits` can be set in a configuration. */
export const defaultLimits = Object.freeze({
  ...defaultTransportLimits,
  ...defaultUpstreamLimits,
  ...defaultCreditLimits,

  /** No method uses deeper JSON, and recursion has to be bounded. */
  request_depth: 64,
  /** Calls have a few hundred values in params; parsing many more would delay other calls. */
  param_values: 10_000,
  /** Three times the longest name of the document, a storage slot. */
  param_name_bytes: 256,
  batch_calls: 1_000,
  /** Lets a batch use several upstream connections but not all of them. */
  batch_concurrency: 32,
  account_connections: 2_000,
  account_calls_in_flight: 2_000,

  /** Smaller responses fit into a few packets; compressing them costs more than it saves. */
  compress_from_bytes: 4_096,
  /** Bounds the memory of compressors; further streams are sent uncompressed. */
  compressed_streams: 64,

  drain_ms: 15_000,
});

export type Limits = { readonly [Name in keyof typeof defaultLimits]: number };
export type LimitName = keyof Limits;
export type LimitOverrides = { readonly [Name in LimitName]?: number | undefined };

/** The limits that a configuration can set, with their descriptions. */
export const publicLimits = Object.freeze({
  request_bytes: 'Maximum size of an HTTP request or a WebSocket message.',
  batch_calls: 'Maximum number of calls in a batch.',

  connections: 'Maximum number of client connections per address.',
  http_keep_alive_ms: 'How long an idle HTTP connection stays open.',
  account_connections:
    'Maximum number of connections per account and process; the plan may allow fewer.',
  account_calls_in_flight:
    'Maximum number of calls in flight per account and process; the plan may allow fewer.',
  socket_calls_in_flight: 'Maximum number of calls in flight per WebSocket.',
  unsent_bytes:
    'Maximum total size of responses that clients have not read yet; calls in progress have an equal limit.',

  call_deadline_ms: 'Timeout of a call, across all attempts.',
  attempt_ms: 'Timeout of an attempt at one upstream.',
  upstream_connections:
    'Maximum number of connections per HTTP upstream; as many again for accounts below their share.',
  upstream_streams:
    'Maximum number of streamed responses per upstream; at most half of its connections.',
  upstream_calls_in_flight:
    'Maximum number of calls in flight per upstream; as many again for accounts below their share.',
  upstream_calls_queued: 'Maximum number of calls that wait for an upstream.',
  probe_interval_ms:
    'Interval between the health probes of an upstream; longer if its `budget` is small.',
  response_bytes: 'Maximum size of a response that is not streamed, or of a batch.',
  cache_bytes: 'Maximum total size of the cached results of a network.',
  stream_bytes: 'Maximum size of a streamed response.',
  stream_idle_ms: 'How long a stream may stall, and how long a client may leave a response unread.',
  stream_ms: 'Timeout of a streamed response.',

  store_wait_ms: 'How long a call waits for the store before it is rejected.',
  lease_ttl_ms: 'Lifetime of a credit lease; the store is at most this far behind actual usage.',

  drain_ms: 'Maximum time for calls in flight to finish on shutdown and reload.',
} satisfies Partial<Record<LimitName, string>>);

export type PublicLimitName = keyof typeof publicLimits;

/** Returns all limits. Later sources override earlier ones; other limits are derived or have defaults. */
export function resolveLimits(...sources: readonly LimitOverrides[]): Limits {
  const set = sources.flatMap((source) => Object.entries(source));
  const chosen: Partial<Limits> = Object.fromEntries(
    set.filter(([, value]) => value !== undefined),
  );
  const { unsent_bytes, lease_ttl_ms } = { ...defaultLimits, ...chosen };
  return Object.freeze({
    ...defaultLimits,
    // An account may use half of the memory, a connection a quarter.
    unsent_account_bytes: Math.ceil(unsent_bytes / 2),
    unsent_connection_bytes: Math.ceil(unsent_bytes / 4),
    unsent_anonymous_bytes: Math.ceil(unsent_bytes / 16),
    lease_tick_ms: Math.ceil(lease_ttl_ms / 30),
    ...chosen,
  });
}
