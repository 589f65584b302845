import { validateHeaderName, validateHeaderValue } from 'node:http';
import { systemClock, type Clock } from '../time/clock.ts';
import { MessageTurns } from '../time/message-turns.ts';
import { startTimer as startSystemTimer, type StartTimer } from '../time/timer.ts';
import type { BatchMode } from './http/batches.ts';
import { openHttpUpstream } from './http/http-upstream.ts';
import { defaultUpstreamLimits, type UpstreamLimits } from './limits.ts';
import { openSocketUpstream } from './socket/socket-upstream.ts';
import type { OpenUpstream } from './upstream.ts';
import { secretsOf, withRedaction } from './with-redaction.ts';

export interface UpstreamAddress {
  /** http, https, ws or wss. */
  readonly url: URL;
  /** May contain secrets, which never appear in errors or events. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether responses over HTTP may be compressed; true when absent. */
  readonly compression?: boolean;
  /** Whether calls of a caller's batch are sent over HTTP as one batch; `auto` when absent. */
  readonly batch?: BatchMode;
  /** Whether the node works on few calls at a time, until it has responded; false when absent. */
  readonly isLimited?: boolean;
}

export interface OpeningOptions {
  /** Overrides `defaultUpstreamLimits`. */
  readonly limits?: Partial<UpstreamLimits>;
  readonly clock?: Clock;
  /** Those of all upstreams and callers of the process; turns of its own when absent. */
  readonly turns?: MessageTurns;
  readonly random?: () => number;
  readonly startTimer?: StartTimer;
}

/**
 * Opens the upstream at an address; it connects when it is started. Throws TypeError for an invalid
 * header (the message names the header, never its value) and for an unsupported protocol.
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
      upstream.start({ ...guard, verify: (call) => guard.verify(withRedaction(call, secrets)) }),
  };
}

function openByProtocol(
  { url, headers, compression = true, batch = 'auto', isLimited = false }: UpstreamAddress,
  options: OpeningOptions,
): OpenUpstream {
  const { clock = systemClock, random = Math.random } = options;
  const startTimer = options.startTimer ?? startSystemTimer;
  const limits: UpstreamLimits = { ...defaultUpstreamLimits, ...options.limits };
  if (url.protocol === 'http:' || url.protocol === 'https:') {
    const { turns = new MessageTurns(() => clock.monotonic_ms()) } = options;
    const shared = { limits, clock, turns, startTimer };
    return openHttpUpstream({ url, headers, compression, batch, isLimited, ...shared });
  }
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') {
    throw new TypeError(`unsupported protocol "${url.protocol}", expected http, https, ws or wss`);
  }
  return openSocketUpstream({
    url,
    headers,
    limits,
    late_ms: isLimited ? limits.late_response_ms : limits.call_deadline_ms,
    random,
    monotonic_ms: () => clock.monotonic_ms(),
    startTimer,
  });
}
