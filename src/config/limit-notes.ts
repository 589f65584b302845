import type { LimitName } from './limits.ts';

/** What each limit bounds, for the schema that editors read and the annotated example. */
export const limitNotes: Readonly<Record<LimitName, string>> = {
  request_bytes: 'Size of a request, over HTTP and of a WebSocket message.',
  discarded_bytes: 'Of a request that is too large, read and thrown away so that it is answered.',
  request_depth: 'Arrays and objects within one another in a request.',
  batch_calls: 'Calls in one batch.',
  batch_concurrency: 'Calls of one batch that are under way at the same time.',

  compress_from_bytes: 'Size from which an answer is compressed.',
  compressed_streams: 'Answers compressed while they are sent; further ones go as they are.',
  unsent_bytes:
    'Sum of answers that callers have yet to take; the account with the most of its share is cut off.',
  unsent_account_bytes: 'Share of one account in this; beyond it, its largest connection is cut.',
  unsent_anonymous_bytes: 'Share of all connections without a valid key.',
  unsent_connection_bytes: 'Share of one connection.',

  connections: 'Open connections of callers at one address.',
  http_headers_ms: 'Time the headers of a request may take to arrive.',
  http_request_ms: 'Time a request may take to arrive as a whole.',
  http_keep_alive_ms: 'Time a connection stays open without a request.',
  account_connections:
    'Connections of one account to one process at most; by its plan one per call in flight, or 256.',
  account_calls_in_flight:
    'Calls in flight of one account in one process at most; by its plan those of 4 s, or 64.',
  http_pipelined: 'Requests of one connection that wait for their answers; beyond it, it is cut.',
  http_refusals: 'Refusals in a row, without a valid key, after which a connection is closed.',
  socket_calls_in_flight: 'Unanswered calls on one WebSocket.',
  socket_pause_bytes: 'Unsent bytes on one WebSocket at which no more of its messages are read.',
  socket_heartbeat_ms: 'Time between two pings; who answers none of them is cut.',

  call_deadline_ms: 'Time a call may take over all its tries.',
  attempt_ms: 'Time one upstream has to answer.',
  max_attempts: 'Upstreams a call is tried at.',
  partner_ms: 'Kept of the time of a call for the partner, where one may be asked.',
  upstream_connections:
    'Connections to one HTTP upstream for calls; an eighth more as below, and 2 for probes.',
  upstream_streams:
    'Answers streamed from one upstream at the same time; at most half of its connections.',
  upstream_connect_ms: 'Time connecting to an upstream may take.',
  upstream_calls_in_flight:
    'Calls at one upstream at the same time; an eighth more for accounts below their share.',
  upstream_calls_queued:
    'Calls waiting for one upstream; when full, the longest queue of an account loses its newest.',
  breaker_attempts: 'Attempts at an upstream that its circuit breaker remembers.',
  breaker_failures: 'Failures among these that open it.',
  breaker_open_ms: 'Time it stays open at first; doubles each time in a row.',
  breaker_max_open_ms: 'Time it stays open at most.',
  upstream_max_cooldown_ms:
    'Time an upstream is left alone at most that asks for it (Retry-After).',
  probe_interval_ms: 'Time between two probes of an upstream.',
  probe_ms: 'Time a probe may take.',
  probe_failures: 'Failed probes in a row that make an upstream unfit.',
  probes_per_finalized: 'Probes of the newest block for each one of the newest final block.',
  height_memory_ms: 'Time the height of an upstream that is no longer fit is remembered.',
  response_bytes: 'Size of an answer that is not streamed; of a batch, the sum.',
  response_depth: 'Arrays and objects within one another in an answer.',
  held_bytes: 'Sum of the answers of one upstream that are being collected.',
  stream_from_bytes: 'Size from which an answer is streamed instead of collected.',
  stream_bytes:
    'Size of a streamed answer; also how much of an answer over WebSocket that is too large is read.',
  stream_buffer_bytes: 'Bytes of a streamed answer that wait for its reader.',
  stream_idle_ms: 'Time a stream may stand still, and a caller may take nothing of an answer.',
  stream_ms: 'Time a stream may take as a whole.',
  upstream_send_bytes: 'Unsent bytes on the WebSocket to an upstream.',
  upstream_heartbeat_ms: 'Time between two pings to a WebSocket upstream.',
  reconnect_first_ms: 'Time before a lost WebSocket upstream is dialled again; doubles each time.',
  reconnect_max_ms: 'Time between two dials at most.',
  reconnect_stable_ms: 'Time a connection has to last for the next dial to come without delay.',

  key_refresh_ms: 'Time between two looks at the store for changed keys, accounts and plans.',
  store_wait_ms: 'Time a call waits for the store before it is refused.',
  lease_ttl_ms: 'Time credits taken from the store live; what it knows of usage is as old at most.',
  lease_tick_ms: 'Time between two looks at the leases; many times within the time above.',
  waiting_calls: 'Calls of one account waiting for the store.',

  drain_ms: 'Time calls under way have to end at a stop, and at a reload.',
};
