export type Outcome = Answer | Failure;

export interface Answer {
  readonly kind: 'answer';
  /** As received; "" if there is no response, e.g. to a notification. */
  readonly text: string;
  /** HTTP status; null over WebSocket. */
  readonly status: number | null;
  readonly headers: Headers;
  readonly latencyMs: number;
  /** Time to open the WebSocket; null over HTTP. */
  readonly connectMs: number | null;
  /** Shown above the response: how it was obtained. */
  readonly note: string | null;
}

export interface Failure {
  readonly kind: 'failure';
  readonly reason: 'canceled' | 'timeout' | 'unreachable' | 'too-large' | 'closed' | 'refused';
  readonly cause: string;
  readonly fix: string;
}

export interface Call {
  readonly url: string;
  readonly body: string;
  readonly isNotification: boolean;
  /** Fires when the reader cancels. */
  readonly signal: AbortSignal;
}

export const TIMEOUT_MS = 30_000;

/** Longer responses are not shown. */
export const MAX_ANSWER_CHARACTERS = 16 * 1024 * 1024;

export const tooLarge: Failure = {
  kind: 'failure',
  reason: 'too-large',
  cause: `The response exceeds ${MAX_ANSWER_CHARACTERS / 1024 / 1024} MiB, the maximum for this page.`,
  fix: 'Request less data, or run one of the samples.',
};

/** Returns the failure of an aborted or unsuccessful request. */
export function failureOf(signal: AbortSignal, url: string): Failure {
  if (signal.aborted && (signal.reason as Error | undefined)?.name !== 'TimeoutError') {
    return {
      kind: 'failure',
      reason: 'canceled',
      cause: 'You canceled the call.',
      fix: 'The service may still have completed and charged the call.',
    };
  }
  if (signal.aborted) {
    return {
      kind: 'failure',
      reason: 'timeout',
      cause: `No response within ${TIMEOUT_MS / 1000} seconds.`,
      fix: 'Try again. If it happens again, check the status of the network.',
    };
  }
  return {
    kind: 'failure',
    reason: 'unreachable',
    cause: `${new URL(url).host} is unreachable or does not allow calls from this page.`,
    fix: 'Check the address and your connection. A service on another origin must send CORS headers.',
  };
}
