import { readNumber, startTimer } from './bounds.ts';
import { ClientError } from './errors.ts';
import {
  type Answer,
  type Call,
  type CallContext,
  type ResponseInfo,
  type Transport,
  wrapTransport,
} from './transport.ts';

export interface Attempt {
  readonly call: Call;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** The end of an attempt: a result, or an error with the HTTP response, if any. */
export interface Outcome extends Attempt {
  readonly durationMs: number;
  readonly answer: Answer | undefined;
  readonly error: unknown;
}

/** A retry about to happen. */
export interface Retry extends Attempt {
  readonly delayMs: number;
  /** The error of the attempt. */
  readonly error: unknown;
}

/** Hooks for logging and tracing. A hook that throws fails the call. */
export interface Hooks {
  /** Called before each attempt. */
  readonly onRequest?: ((attempt: Attempt) => void) | undefined;
  /** Called after each attempt. */
  readonly onResponse?: ((outcome: Outcome) => void) | undefined;
  /** Called before the wait for each retry. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export interface RetryOptions extends Hooks {
  /** Maximum number of retries of a failed call (default: 3). */
  readonly retries?: number | undefined;
  /** Maximum wait before the first retry (default: 150 ms). It doubles with each further retry. */
  readonly backoffMs?: number | undefined;
  /** Maximum wait (default: 10,000 ms). If the server asks for a longer one, the call is not retried. */
  readonly maxBackoffMs?: number | undefined;
  /**
   * Whether a method changes nothing, so that calls can be sent twice (default: as the document says).
   */
  readonly reads?: ((method: string) => boolean) | undefined;
  /** Returns a number from 0 to 1 (default: Math.random). */
  readonly random?: (() => number) | undefined;
}

/** The members of an error that retries depend on. */
interface Failure {
  readonly retryable?: boolean;
  readonly code?: number;
  readonly status?: number | null;
  readonly retryAfterMs?: unknown;
  readonly response?: ResponseInfo | null;
}

/**
 * Retries calls with exponential backoff and jitter. Calls that may change something are retried only
 * if the server rejected them unprocessed (HTTP 429).
 * @throws TypeError when an option is invalid.
 */
export function withRetry<Wide>(
  transport: Transport<Wide>,
  options: RetryOptions,
): Transport<Wide> {
  return wrapTransport(transport, createRetry(transport, options));
}

interface V8Errors {
  readonly captureStackTrace?: (error: Error) => void;
}

/** Like `withRetry`, without `close`. */
export function createRetry(
  transport: Transport<unknown>,
  options: RetryOptions,
): (call: Call, context: Pick<CallContext, 'signal'>) => Promise<Answer> {
  const { onRequest, onResponse, onRetry, reads, random = Math.random } = options;
  const retries = readNumber(options, 'retries', 3);
  const backoffMs = readNumber(options, 'backoffMs', 150);
  const maxBackoffMs = readNumber(options, 'maxBackoffMs', 10_000);
  // Calls that failed together wait together, so that they form a batch again.
  const pauses = new WeakMap<object, readonly [delayMs: number, over: Promise<void>]>();

  return async (call, { signal }) => {
    for (let attempt = 1; ; attempt += 1) {
      const sent = { call, attempt };
      const startedMs = Date.now();
      let answer: Answer | undefined;
      let error: unknown;
      onRequest?.(sent);
      try {
        answer = await transport(call, { signal, attempt });
      } catch (thrown) {
        error = thrown;
      }
      onResponse?.({ ...sent, durationMs: Date.now() - startedMs, answer, error });
      if (answer) return answer;
      const failure = Object(error) as Failure;
      const header = failure.response?.headers.get('retry-after') as string;
      // From the error's data or Retry-After (RFC 9110, section 10.2.3); NaN without either.
      const asked =
        typeof failure.retryAfterMs === 'number'
          ? failure.retryAfterMs
          : +header * 1000 || Date.parse(header) - Date.now();
      const askedMs = asked > 0 ? asked : 0;
      const mayRepeat =
        (reads?.(call.method) ?? call.reads) || failure.code === -32005 || failure.status === 429;
      const isOver = signal.aborted || attempt > retries || askedMs > maxBackoffMs;
      if (isOver || !failure.retryable || !mayRepeat) {
        // A response arrives on an empty stack. Captured here, the stack trace shows the callers that
        // await it.
        if (error instanceof ClientError) (Error as V8Errors).captureStackTrace?.(error);
        throw error;
      }
      const shared = failure.response ?? failure;
      const backoff = random() * Math.min(maxBackoffMs, (backoffMs / 2) * 2 ** attempt);
      const ownMs = askedMs + backoff;
      const [delayMs, over] = pauses.get(shared) ?? [
        ownMs,
        new Promise((resolve) => {
          // The timeouts of the waiting calls keep the process alive.
          (startTimer(ownMs, resolve) as { unref?: () => void }).unref?.();
        }),
      ];
      pauses.set(shared, [delayMs, over]);
      onRetry?.({ ...sent, delayMs, error });
      await over;
      signal.throwIfAborted();
    }
  };
}
