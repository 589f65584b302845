import { Pool } from 'undici';
import { credentialsOf } from './credentials.ts';
import { encodeRequest } from './envelope.ts';
import type { AnswerLimits } from './http/answer-reader.ts';
import { ACCEPTED_ENCODINGS } from './http/decoder.ts';
import { Exchange, type HeldBytes } from './http/exchange.ts';
import { StreamSlots } from './http/stream-slots.ts';
import type { OpenUpstream } from './opened.ts';
import type { StreamingUpstream } from './upstream.ts';
import { failure } from './failure.ts';
import { withIdentity } from './with-identity.ts';
import { reservedBeside } from './with-queue.ts';

export interface HttpUpstreamOptions extends AnswerLimits {
  readonly url: URL;
  /** Sent with every request; may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly connect_ms: number;
  /** Of all answers that are being collected, together. */
  readonly held_bytes: number;
  /** Answers streamed at one time; each keeps a connection. */
  readonly most_streams: number;
  /** Whether the upstream may compress its answers. */
  readonly compression: boolean;
  readonly now_ms: () => number;
  readonly monotonic_ms: () => number;
}

/** Kept beside those of calls: a probe behind a slow call would fail, and the node with it. */
const PROBE_CONNECTIONS = 2;

/** A node spoken to by JSON-RPC over HTTP POST, over a pool of connections kept alive. */
export function openHttpUpstream(options: HttpUpstreamOptions): OpenUpstream {
  const { url, connections, held_bytes, now_ms, monotonic_ms } = options;
  // Time is bounded by whoever wraps the upstream, so undici's own timers are off.
  const pool = new Pool(url.origin, {
    connections: connections + reservedBeside(connections) + PROBE_CONNECTIONS,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: options.connect_ms },
  });
  const path = url.pathname + url.search;
  const headers = headerList(options);
  const held: HeldBytes = { now: 0, most: held_bytes };
  const slots = new StreamSlots(options.most_streams);
  let lastId = 0;
  const ask: StreamingUpstream = (call, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(failure('aborted', 'the caller gave up'));
      lastId += 1;
      const exchange = new Exchange({
        id: lastId,
        limits: options,
        streams: call.streams === true,
        signal,
        abandoned: call.abandoned,
        account: call.account ?? '',
        held,
        slots,
        now_ms,
        onOutcome(outcome) {
          if (outcome.kind === 'failure' && outcome.cause === 'connection') identified.doubt();
          resolve(outcome);
        },
      });
      const body = encodeRequest(lastId, call);
      const { traceparent } = call;
      const sent = traceparent === undefined ? headers : [...headers, 'traceparent', traceparent];
      return pool.dispatch({ method: 'POST', path, headers: sent, body }, exchange);
    });
  const identified = withIdentity(ask, monotonic_ms);
  pool.on('disconnect', () => {
    if (pool.stats.connected === 0) identified.doubt();
  });
  return {
    call: identified.call,
    slots: connections,
    async start({ prove }) {
      identified.start(prove);
    },
    close: () => pool.destroy(),
  };
}

/** Names and values in turn; credentials in the URL become the header they stand for (RFC 7617). */
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
