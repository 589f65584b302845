import { Cancellation, NEVER, type CancelSignal } from '../time/cancellation.ts';
import {
  ABORTED,
  type BatchedCall,
  type StreamingOutcome,
  type TimedUpstream,
  type UpstreamCall,
} from './upstream.ts';

class JoinedCall implements BatchedCall {
  call: UpstreamCall;
  readonly signal: CancelSignal;
  readonly resolve: (outcome: StreamingOutcome | Promise<StreamingOutcome>) => void;
  outcome: StreamingOutcome | undefined;

  constructor(call: UpstreamCall, signal: CancelSignal, resolve: JoinedCall['resolve']) {
    this.call = call;
    this.signal = signal;
    this.resolve = resolve;
  }
}

/**
 * Joins the calls of a caller's batch that arrive at the same time into one call that lists them in
 * `calls`: one slot, one deadline and one message serve them all, and each has its own outcome.
 */
export function withJoining(upstream: TimedUpstream, max_calls: number): TimedUpstream {
  /** The calls that are being collected, by the caller's batch. */
  const gathering = new Map<object, JoinedCall[]>();
  const send = (calls: readonly JoinedCall[], limit_ms: number): void => {
    const { call, signal, resolve } = calls[0]!;
    if (calls.length === 1) return resolve(upstream(call, signal, limit_ms));
    const shared = shareSignal(calls);
    const joined = { ...call, batch: undefined, calls };
    const onOutcome = (outcome: StreamingOutcome): void => {
      shared.stop();
      for (const each of calls) each.resolve(each.outcome ?? outcome);
    };
    return void upstream(joined, shared.signal, limit_ms).then(onOutcome);
  };
  return (call, signal, limit_ms) => {
    const { batch } = call;
    if (batch === undefined) return upstream(call, signal, limit_ms);
    if (signal.aborted) return Promise.resolve(ABORTED);
    return new Promise((resolve) => {
      const joined = new JoinedCall(call, signal, resolve);
      const calls = gathering.get(batch);
      if (calls !== undefined && calls.length < max_calls) return void calls.push(joined);
      const started = [joined];
      gathering.set(batch, started);
      return queueMicrotask(() => {
        if (gathering.get(batch) === started) gathering.delete(batch);
        send(started, limit_ms);
      });
    });
  };
}

/** Returns a signal that fires once all calls are canceled; each call ends as soon as it is canceled. */
function shareSignal(calls: readonly JoinedCall[]): {
  readonly signal: CancelSignal;
  readonly stop: () => void;
} {
  const canceled = calls.filter(({ signal }) => signal !== NEVER);
  if (canceled.length === 0) return { signal: NEVER, stop: () => undefined };
  const cancellation = new Cancellation();
  let left = calls.length;
  const listeners = canceled.map(({ signal, resolve }) => {
    const onAbort = (): void => {
      resolve(ABORTED);
      left -= 1;
      if (left === 0) cancellation.abort();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return () => signal.removeEventListener('abort', onAbort);
  });
  return { signal: cancellation, stop: () => listeners.forEach((stop) => stop()) };
}
