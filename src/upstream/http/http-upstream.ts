import type { Socket } from 'node:net';
import type { Pool } from 'undici';
import type { Clock } from '../../time/clock.ts';
import type { CancelSignal } from '../../time/cancellation.ts';
import type { MessageTurns } from '../../time/message-turns.ts';
import type { StartTimer } from '../../time/timer.ts';
import { encodeBatch, encodeRequest } from '../json-rpc.ts';
import type { UpstreamLimits } from '../limits.ts';
import {
  ABORTED,
  type OpenUpstream,
  type StreamingOutcome,
  type StreamingUpstream,
  type UpstreamCall,
} from '../upstream.ts';
import { credentialsOf } from '../with-redaction.ts';
import { withVerification } from '../with-verification.ts';
import { Batches, type BatchMode } from './batches.ts';
import { ACCEPTED_ENCODING } from './decoder.ts';
import { Exchange, type ExchangeOptions } from './exchange.ts';
import { HeldBytes } from '../held-bytes.ts';
import { openPool } from './pool.ts';
import { RepeatedResponses } from './repeated-responses.ts';
import { StreamSlots } from './stream-slots.ts';

export interface HttpUpstreamOptions {
  readonly url: URL;
  /** Sent with every request; may contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the node may compress its responses. */
  readonly compression: boolean;
  /** Whether calls of a batch are sent as a batch. */
  readonly batch: BatchMode;
  /** Whether the node works on few calls at a time: a connection is then left open until it has responded. */
  readonly isLimited: boolean;
  readonly limits: UpstreamLimits;
  readonly clock: Clock;
  /** Shares the time for large responses among accounts. */
  readonly turns: MessageTurns;
  readonly startTimer: StartTimer;
}

/** Opens a node that is called by HTTP POST over a pool of connections. */
export function openHttpUpstream(options: HttpUpstreamOptions): OpenUpstream {
  const { limits, clock } = options;
  const connections = limits.upstream_connections;
  const pool = openPool(options.url, limits);
  const send = sendOver(pool, options, (account) => verified.suspect(account));
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

/** Returns the function that sends calls over a pool, and the calls of a batch as one request if possible. */
function sendOver(
  pool: Pool,
  options: HttpUpstreamOptions,
  onConnectionFailure: (account: string | undefined) => void,
): StreamingUpstream {
  const { url, limits, clock, turns, batch, startTimer, isLimited } = options;
  const path = url.pathname + url.search;
  const headers = headerList(options);
  const held = new HeldBytes(limits.held_bytes);
  const streams = Math.min(limits.upstream_streams, Math.ceil(limits.upstream_connections / 2));
  const slots = new StreamSlots(streams);
  const repeated = new RepeatedResponses(() => clock.monotonic_ms());
  let nextId = 1;
  const takeIds = (count: number): number => (nextId += count) - count;
  const dispatch = (
    call: UpstreamCall,
    signal: CancelSignal,
    {
      body,
      ...request
    }: Pick<ExchangeOptions, 'id' | 'isBatch' | 'onUncanceled' | 'onOutcome'> & {
      readonly body: Buffer;
    },
  ): Exchange => {
    let onRepeated = (): void => undefined;
    const onSent = (socket: Socket | undefined): void => {
      if (socket !== undefined) onRepeated = repeated.send(socket, call.account);
      // A call of a batch is answered with the slowest of them, so calls of others do not wait for it.
      if (!request.isBatch) call.onSent?.();
    };
    const onOutcome = (outcome: StreamingOutcome): void => {
      if (outcome.kind === 'failure' && outcome.cause === 'connection') {
        onConnectionFailure(call.account);
      }
      request.onOutcome(outcome);
    };
    const shared = { signal, limits, slots, turns, held, clock, startTimer };
    const exchange = new Exchange({
      ...request,
      ...shared,
      call,
      onSent,
      onRepeated: () => onRepeated(),
      onOutcome,
    });
    const { traceparent } = call;
    pool.dispatch(
      {
        method: 'POST',
        path,
        headers: traceparent === undefined ? headers : [...headers, 'traceparent', traceparent],
        body,
        reset: repeated.isApart(call.account),
      },
      exchange,
    );
    return exchange;
  };
  const single: StreamingUpstream = (call, signal) => {
    if (signal.aborted) return Promise.resolve(ABORTED);
    const id = takeIds(1);
    const body = encodeRequest(id, call);
    return new Promise((onOutcome) => {
      // Probes are sent beside the calls that the node may have.
      const isAwaited = isLimited && call.account !== undefined;
      const onUncanceled = isAwaited ? call.onUncanceled : undefined;
      dispatch(call, signal, { id, body, isBatch: false, onUncanceled, onOutcome });
    });
  };
  const batches = new Batches({
    mode: batch,
    attempt_ms: limits.attempt_ms,
    response_depth: limits.response_depth,
    monotonic_ms: () => clock.monotonic_ms(),
    turn: (account) => turns.wait(account),
    takeIds,
    single,
    send: (calls, id, { signal, onUncanceled }) =>
      new Promise((resolve) => {
        const onOutcome = (outcome: StreamingOutcome): void =>
          resolve({ outcome, closeConnection: () => exchange.closeConnection() });
        const body = encodeBatch(calls, id);
        const request = {
          id,
          body,
          isBatch: true,
          onUncanceled: isLimited ? onUncanceled : undefined,
          onOutcome,
        };
        const exchange = dispatch(calls[0]!.call, signal, request);
      }),
  });
  return (call, signal) =>
    call.calls === undefined ? single(call, signal) : batches.send(call.calls, signal);
}

/** Returns alternating names and values; credentials of the URL become a header (RFC 7617). */
function headerList({ url, headers, compression }: HttpUpstreamOptions): string[] {
  const credentials = credentialsOf(url);
  return Object.entries({
    'content-type': 'application/json',
    accept: 'application/json',
    ...(compression ? { 'accept-encoding': ACCEPTED_ENCODING } : {}),
    ...(credentials === undefined ? {} : { authorization: `Basic ${credentials.encoded}` }),
    ...headers,
  }).flat();
}
