/** What came of a call. */
export type Outcome = Answer | Failure;

export interface Answer {
  readonly kind: 'answer';
  /** As it came; "" where the service answers nothing, as to a notification. */
  readonly text: string;
  /** HTTP status; null over WebSocket. */
  readonly status: number | null;
  readonly headers: Headers;
  readonly latencyMs: number;
  /** What opening the socket took before; null over HTTP. */
  readonly connectMs: number | null;
  /** Said above the answer: how it was come by. */
  readonly note: string | null;
}

/** No answer. */
export interface Failure {
  readonly kind: 'failure';
  readonly reason: 'cancelled' | 'timeout' | 'unreachable' | 'too-large' | 'closed' | 'refused';
  readonly cause: string;
  readonly mend: string;
}

export interface Call {
  readonly url: string;
  readonly body: string;
  /** The service answers nothing to it. */
  readonly isNotification: boolean;
  /** Aborted by the reader. */
  readonly signal: AbortSignal;
}

export const TIMEOUT_MS = 30_000;

/** More than this is no answer to look at in a page. */
export const MAX_ANSWER_CHARS = 16 * 1024 * 1024;

export const tooLarge: Failure = {
  kind: 'failure',
  reason: 'too-large',
  cause: `The answer is larger than ${MAX_ANSWER_CHARS / 1024 / 1024} MiB, which a page does not show.`,
  mend: 'Ask for less, or run one of the samples.',
};

/** The failure that an abort stands for. */
export function failureOf(signal: AbortSignal, url: string): Failure {
  if (signal.aborted && (signal.reason as Error | undefined)?.name !== 'TimeoutError') {
    return {
      kind: 'failure',
      reason: 'cancelled',
      cause: 'You cancelled the call.',
      mend: 'The service may have answered and charged it nevertheless.',
    };
  }
  if (signal.aborted) {
    return {
      kind: 'failure',
      reason: 'timeout',
      cause: `There was no answer within ${TIMEOUT_MS / 1000} seconds.`,
      mend: 'Try again; if it goes on, look at the status of the network.',
    };
  }
  return {
    kind: 'failure',
    reason: 'unreachable',
    cause: `${new URL(url).host} cannot be reached, or does not let this page call it.`,
    mend: 'See whether the service runs at that address and you are online. A service answers pages of other origins only with CORS headers.',
  };
}
