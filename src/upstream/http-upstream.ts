import { Pool } from 'undici';
import { decodeResponse, encodeRequest } from './envelope.ts';
import { Exchange } from './exchange.ts';
import { failure, type Upstream } from './upstream.ts';

export interface HttpUpstreamOptions {
  readonly url: URL;
  /** Sent with every request; may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly connect_ms: number;
  readonly response_bytes: number;
  readonly response_depth: number;
}

export interface OpenUpstream {
  readonly call: Upstream;
  /** Ends its connections; calls under way fail. */
  close(): Promise<void>;
}

/** A node spoken to by JSON-RPC over HTTP POST, over a pool of connections kept alive. */
export function openHttpUpstream(options: HttpUpstreamOptions): OpenUpstream {
  const { url, connections, response_bytes, response_depth } = options;
  // Time is bounded by whoever wraps the upstream, so undici's own timers are off.
  const pool = new Pool(url.origin, {
    connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: options.connect_ms },
  });
  const path = url.pathname + url.search;
  const headers = Object.entries({
    'content-type': 'application/json',
    accept: 'application/json',
    ...options.headers,
  }).flat();
  let lastId = 0;
  return {
    call: (call, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(failure('aborted', 'the caller gave up'));
        lastId += 1;
        const id = lastId;
        const body = encodeRequest(id, call);
        const exchange = new Exchange({
          signal,
          response_bytes,
          decode: (bytes) => decodeResponse(bytes, id, response_depth),
          onOutcome: resolve,
        });
        return pool.dispatch({ method: 'POST', path, headers, body }, exchange);
      }),
    close: () => pool.destroy(),
  };
}
