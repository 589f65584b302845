import type { NodeError } from '../errors/catalogue.ts';

/** A call as a node gets it; `params` is the JSON array, byte for byte. */
export interface UpstreamCall {
  readonly method: string;
  readonly params: Buffer;
}

/**
 * Why no node's answer was had. `none`: no upstream is fit to be asked; `unhealthy`: the node says
 * that it cannot serve now; `aborted`: the caller gave up.
 */
export type FailureCause =
  | 'connection'
  | 'timeout'
  | 'status'
  | 'malformed'
  | 'too_large'
  | 'unhealthy'
  | 'overloaded'
  | 'none'
  | 'aborted';

/** How a call to an upstream ended. A result is JSON text, untouched. */
export type UpstreamOutcome =
  | { readonly kind: 'result'; readonly result: Buffer }
  | { readonly kind: 'error'; readonly error: NodeError }
  | { readonly kind: 'failure'; readonly cause: FailureCause; readonly detail: string };

/** Anything that answers calls; behaviour is added by wrapping. Never rejects. */
export type Upstream = (call: UpstreamCall, signal: AbortSignal) => Promise<UpstreamOutcome>;

export function failure(cause: FailureCause, detail: string): UpstreamOutcome {
  return { kind: 'failure', cause, detail };
}
