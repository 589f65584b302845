import type { Guard } from './opened.ts';
import type { StreamingUpstream } from './upstream.ts';
import { failure, type Failure } from './failure.ts';

export interface Identified {
  readonly call: StreamingUpstream;
  /** From now on the upstream has to prove who it is before it is asked. */
  start(prove: Guard['prove']): void;
  /** The other end may have changed: it has to prove itself again. */
  doubt(): void;
}

/** How long after a failed proof calls fail by it without another attempt. */
const RETRY_MS = 250;

/** Asks an upstream only once it has proved who it is; calls wait for the proof under way. */
export function withIdentity(upstream: StreamingUpstream, monotonic_ms: () => number): Identified {
  let prove: Guard['prove'] | undefined;
  let isProven = true;
  let proving: Promise<Failure | undefined> | undefined;
  let doubts = 0;
  let failed: { readonly trouble: Failure; readonly at_ms: number } | undefined;
  const attempt = async (proveIt: Guard['prove']): Promise<Failure | undefined> => {
    const before = doubts;
    const trouble = await proveIt(upstream);
    proving = undefined;
    // A connection lost during the proof says nothing about the next one.
    if (trouble === undefined) isProven = before === doubts;
    else failed = { trouble, at_ms: monotonic_ms() };
    return trouble;
  };
  return {
    async call(call, signal) {
      if (isProven || prove === undefined) return upstream(call, signal);
      if (failed !== undefined && monotonic_ms() - failed.at_ms < RETRY_MS) return failed.trouble;
      proving ??= attempt(prove);
      const trouble = await proving;
      if (trouble !== undefined) return trouble;
      if (call.abandoned?.aborted === true) return failure('aborted', 'the caller gave up');
      return upstream(call, signal);
    },
    start(proveIt) {
      prove = proveIt;
      isProven = false;
    },
    doubt() {
      doubts += 1;
      isProven = prove === undefined;
    },
  };
}
