import { validateHeaderName, validateHeaderValue } from 'node:http';
import { systemClock, type Clock } from '../time/clock.ts';
import { after, type After } from './after.ts';
import { openHttpUpstream } from './http-upstream.ts';
import { defaultUpstreamLimits, type UpstreamLimits } from './limits.ts';
import type { OpenUpstream } from './opened.ts';
import { secretsOf, withRedaction } from './redact.ts';
import { openSocketUpstream } from './socket-upstream.ts';

export interface UpstreamAddress {
  /** http, https, ws or wss. */
  readonly url: URL;
  /** May hold secrets; they show up in no error and no event. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether answers over HTTP may be compressed; true when absent. */
  readonly compression?: boolean;
}

export interface OpeningOptions {
  /** What is not given here is as in `defaultUpstreamLimits`. */
  readonly limits?: Partial<UpstreamLimits>;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly after?: After;
}

/**
 * The upstream at an address; nothing is dialled before it is started. Throws TypeError for a header
 * that HTTP does not allow (its message names the header, never the value), and for another protocol.
 */
export function openUpstream(address: UpstreamAddress, options: OpeningOptions = {}): OpenUpstream {
  for (const [name, value] of Object.entries(address.headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  const upstream = openByProtocol(address, options);
  const secrets = secretsOf(address.url, address.headers);
  return {
    ...upstream,
    call: withRedaction(upstream.call, secrets),
    start: (guard) =>
      upstream.start({ ...guard, prove: (proven) => guard.prove(withRedaction(proven, secrets)) }),
  };
}

function openByProtocol(address: UpstreamAddress, options: OpeningOptions): OpenUpstream {
  const { url, headers, compression = true } = address;
  const { clock = systemClock, random = Math.random } = options;
  const limits: UpstreamLimits = { ...defaultUpstreamLimits, ...options.limits };
  const monotonic_ms = (): number => clock.monotonic_ms();
  const connect_ms = limits.upstream_connect_ms;
  if (url.protocol === 'http:' || url.protocol === 'https:') {
    const connections = limits.upstream_connections;
    return openHttpUpstream({
      ...limits,
      url,
      headers,
      compression,
      connections,
      most_streams: Math.min(limits.upstream_streams, Math.ceil(connections / 2)),
      connect_ms,
      now_ms: () => clock.now_ms(),
      monotonic_ms,
    });
  }
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') {
    throw new TypeError(`an upstream cannot be spoken to by ${url.protocol}`);
  }
  const withoutFragment = new URL(url);
  withoutFragment.hash = '';
  return openSocketUpstream({
    url: withoutFragment,
    headers,
    connect_ms,
    response_bytes: limits.response_bytes,
    discarded_bytes: limits.stream_bytes,
    response_depth: limits.response_depth,
    send_bytes: limits.upstream_send_bytes,
    heartbeat_ms: limits.upstream_heartbeat_ms,
    redial: {
      first_ms: limits.redial_first_ms,
      most_ms: limits.redial_most_ms,
      stable_ms: limits.redial_stable_ms,
    },
    random,
    monotonic_ms,
    after: options.after ?? after,
  });
}
