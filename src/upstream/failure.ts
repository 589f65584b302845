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

/** That no node answered a call. */
export interface Failure {
  readonly kind: 'failure';
  readonly cause: FailureCause;
  /** For logs; holds no secrets, and nothing of it is for callers. */
  readonly detail: string;
  /** For how long the upstream asks to be left alone. */
  readonly rest_ms?: number;
  /** A plan with forwarding would have had an answer from a partner. */
  readonly upgrade?: true;
}

export function failure(cause: FailureCause, detail: string): Failure {
  return { kind: 'failure', cause, detail };
}
