import { Pool } from 'undici';
import type { Clock } from '../../time/clock.ts';
import { encodeRequest } from '../json-rpc.ts';
import type { UpstreamLimits } from '../limits.ts';
import { ABORTED, type OpenUpstream, type StreamingUpstream } from '../upstream.ts';
import { reservedBeside } from '../with-queue.ts';
import { credentialsOf } from '../with-redaction.ts';
import { withVerification } from '../with-verification.ts';
import { ACCEPTED_ENCODINGS } from './decoder.ts';
import { Exchange } from './exchange.ts';
import { HeldBytes } from './held-bytes.ts';
import { StreamSlots } from './stream-slots.ts';

export interface HttpUpstreamOptions {
  readonly url: URL;
  /** Sent with every request; may contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the node may compress its responses. */
  readonly compression: boolean;
  readonly limits: UpstreamLimits;
  readonly clock: Clock;
}

/** Reserved for probes: a probe behind a slow call would fail and make the node unhealthy. */
const PROBE_CONNECTIONS = 2;

/** Opens a node that is called by HTTP POST over a pool of connections. */
export function openHttpUpstream(options: HttpUpstreamOptions): OpenUpstream {
  const { limits, clock } = options;
  const connections = limits.upstream_connections;
  const pool = openPool(options);
  const send = sendOver(pool, options, () => verified.invalidate());
  const verified = withVerification(send, () => clock.monotonic_ms());
  pool.on('disconnect', () => {
    if (pool.stats.connected === 0) verified.invalidate();
  });
  return {
    call: verified.call,
    slots: connections,
    async start({ verify }) {
      verified.start(verify);
    },
    close: () => pool.destroy(),
  };
}

function openPool({ url, limits }: HttpUpstreamOptions): Pool {
  const { upstream_connections, upstream_connect_ms } = limits;
  return new Pool(url.origin, {
    connections: upstream_connections + reservedBeside(upstream_connections) + PROBE_CONNECTIONS,
    pipelining: 1,
    // Wrappers bound the time.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: upstream_connect_ms },
  });
}

/** Returns the function that sends calls over a pool. */
function sendOver(
  pool: Pool,
  options: HttpUpstreamOptions,
  onConnectionFailure: () => void,
): StreamingUpstream {
  const { url, limits, clock } = options;
  const headers = headerList(options);
  const held = new HeldBytes(limits.held_bytes);
  const streams = Math.min(limits.upstream_streams, Math.ceil(limits.upstream_connections / 2));
  const slots = new StreamSlots(streams);
  let id = 0;
  return (call, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(ABORTED);
      id += 1;
      const exchange = new Exchange({
        id,
        call,
        signal,
        limits,
        slots,
        held,
        now_ms: () => clock.now_ms(),
        onOutcome(outcome) {
          if (outcome.kind === 'failure' && outcome.cause === 'connection') onConnectionFailure();
          resolve(outcome);
        },
      });
      const { traceparent } = call;
      return pool.dispatch(
        {
          method: 'POST',
          path: url.pathname + url.search,
          headers: traceparent === undefined ? headers : [...headers, 'traceparent', traceparent],
          body: encodeRequest(id, call),
        },
        exchange,
      );
    });
}

/** Returns names and values in turn; credentials of the URL become a header (RFC 7617). */
function headerList({ url, headers, compression }: HttpUpstreamOptions): string[] {
  const credentials = credentialsOf(url);
  return Object.entries({
    'content-type': 'application/json',
    accept: 'application/json',
    ...(compression ? { 'accept-encoding': ACCEPTED_ENCODINGS } : {}),
    ...(credentials === undefined ? {} : { authorization: `Basic ${credentials.encoded}` }),
    ...headers,
  }).flat();
}
