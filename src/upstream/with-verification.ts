import { ABORTED, type ConnectionGuard, type Failure, type StreamingUpstream } from './upstream.ts';

export interface VerifiedUpstream {
  readonly call: StreamingUpstream;
  /** From now on calls wait until `verify` has accepted the node. */
  start(verify: ConnectionGuard['verify']): void;
  /** The node behind the address may have changed; it is verified again before the next call. */
  invalidate(): void;
}

/** How long calls fail with a failed verification before it is repeated. */
const RETRY_MS = 250;

/** Sends calls only to a node that was verified; calls wait for a verification in progress. */
export function withVerification(
  upstream: StreamingUpstream,
  monotonic_ms: () => number,
): VerifiedUpstream {
  let verify: ConnectionGuard['verify'] | undefined;
  let isVerified = true;
  let pending: Promise<Failure | undefined> | undefined;
  let invalidations = 0;
  let failed: { readonly reason: Failure; readonly at_ms: number } | undefined;
  const attempt = async (run: ConnectionGuard['verify']): Promise<Failure | undefined> => {
    const before = invalidations;
    const reason = await run(upstream);
    pending = undefined;
    // The result does not hold for connections made after one was lost.
    if (reason === undefined) isVerified = before === invalidations;
    else failed = { reason, at_ms: monotonic_ms() };
    return reason;
  };
  const callVerified: StreamingUpstream = async (call, signal) => {
    if (failed !== undefined && monotonic_ms() - failed.at_ms < RETRY_MS) return failed.reason;
    pending ??= attempt(verify!);
    const reason = await pending;
    if (reason !== undefined) return reason;
    return call.abandoned?.aborted === true ? ABORTED : upstream(call, signal);
  };
  return {
    call: (call, signal) =>
      isVerified || verify === undefined ? upstream(call, signal) : callVerified(call, signal),
    start(run) {
      verify = run;
      isVerified = false;
    },
    invalidate() {
      invalidations += 1;
      isVerified = verify === undefined;
    },
  };
}
