import { ABORTED, type ConnectionGuard, type Failure, type StreamingUpstream } from './upstream.ts';

export interface VerifiedUpstream {
  readonly call: StreamingUpstream;
  /** Makes calls wait until `verify` has accepted the node. */
  start(verify: ConnectionGuard['verify']): void;
  /**
   * Requires the node to be verified again before the next call, because a different one may be behind the
   * address now.
   */
  invalidate(): void;
  /**
   * Reports that a call of an account, or a probe (undefined), lost its connection. The call itself may be
   * the reason, so only calls of its account wait until the node is verified again. All calls wait if a
   * probe or a call of a second account loses its connection meanwhile.
   */
  suspect(account: string | undefined): void;
}

/** How long calls fail after a failed verification before it is repeated. */
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
  let suspect: string | undefined;
  let suspicions = 0;
  let failed: { readonly reason: Failure; readonly at_ms: number } | undefined;
  const attempt = async (run: ConnectionGuard['verify']): Promise<Failure | undefined> => {
    const before = { invalidations, suspicions };
    const reason = await run(upstream);
    pending = undefined;
    // The result does not hold for connections made after one was lost.
    isVerified = reason === undefined && before.invalidations === invalidations;
    if (before.suspicions === suspicions) suspect = undefined;
    if (reason !== undefined) failed = { reason, at_ms: monotonic_ms() };
    return reason;
  };
  const callVerified: StreamingUpstream = async (call, signal) => {
    if (failed !== undefined && monotonic_ms() - failed.at_ms < RETRY_MS) return failed.reason;
    pending ??= attempt(verify!);
    const reason = await pending;
    if (reason !== undefined) return reason;
    return call.abandoned?.aborted === true ? ABORTED : upstream(call, signal);
  };
  const invalidate = (): void => {
    invalidations += 1;
    isVerified = verify === undefined;
  };
  return {
    call(call, signal) {
      const isTrusted = isVerified && (suspect === undefined || suspect !== call.account);
      return isTrusted || verify === undefined
        ? upstream(call, signal)
        : callVerified(call, signal);
    },
    start(run) {
      verify = run;
      isVerified = false;
    },
    invalidate,
    suspect(account) {
      suspicions += 1;
      if (account === undefined || (suspect ?? account) !== account) return invalidate();
      suspect = account;
      if (isVerified && verify !== undefined) pending ??= attempt(verify);
      return undefined;
    },
  };
}
