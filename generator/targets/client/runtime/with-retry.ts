import { readNumber, startTimer } from './bounds.ts';
import {
  type Answer,
  type Call,
  type CallContext,
  type ResponseInfo,
  type Transport,
  wrapTransport,
} from './transport.ts';

/** An attempt at a call. */
export interface Attempt {
  readonly call: Call;
  /** From 1; a call that is sent again has the next. */
  readonly attempt: number;
}

/** How an attempt ended: with an answer, or with an error (which has the HTTP response, if any). */
export interface Outcome extends Attempt {
  readonly durationMs: number;
  readonly answer: Answer | undefined;
  readonly error: unknown;
}

/** A call that is about to be sent again. */
export interface Retry extends Attempt {
  readonly delayMs: number;
  /** What the attempt failed with. */
  readonly error: unknown;
}

/** For logging and tracing. A hook that throws fails the call. */
export interface Hooks {
  /** Told of each attempt before it is sent. */
  readonly onRequest?: ((attempt: Attempt) => void) | undefined;
  /** Told how each attempt ended. */
  readonly onResponse?: ((outcome: Outcome) => void) | undefined;
  /** Told of each call that will be sent again, before the wait. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export interface RetryOptions extends Hooks {
  /** How often a call that failed on the way is sent again (3); 0: never. */
  readonly retries?: number | undefined;
  /** The wait before the first retry is at most so long (150 ms), each further one at most twice the one before. */
  readonly backoffMs?: number | undefined;
  /** The longest wait (10,000 ms); a server that asks for a longer one is not asked again. */
  readonly maxBackoffMs?: number | undefined;
  /** Whether calls of a method change nothing, so that they may be sent twice (what the document says). */
  readonly reads?: ((method: string) => boolean) | undefined;
  /** A number from 0 to 1 (Math.random). */
  readonly random?: (() => number) | undefined;
}

/** What is read of an error that may pass. */
interface Passing {
  readonly retryable?: boolean;
  readonly code?: number;
  readonly status?: number | null;
  readonly retryAfterMs?: unknown;
  readonly response?: ResponseInfo | null;
}

/**
 * Sends a call again that failed on the way, after a wait with jitter that grows. A call that may
 * change something is sent again only when it was refused before anything was done (HTTP 429).
 * @throws TypeError when an option cannot be used.
 */
export function withRetry<Wide>(
  transport: Transport<Wide>,
  options: RetryOptions,
): Transport<Wide> {
  return wrapTransport(transport, createRetry(transport, options));
}

/** What `withRetry` wraps a transport in. */
export function createRetry(
  transport: Transport<unknown>,
  options: RetryOptions,
): (call: Call, context: Pick<CallContext, 'signal'>) => Promise<Answer> {
  const { onRequest, onResponse, onRetry, reads, random = Math.random } = options;
  const retries = readNumber(options, 'retries', 3);
  const backoffMs = readNumber(options, 'backoffMs', 150);
  const maxBackoffMs = readNumber(options, 'maxBackoffMs', 10_000);
  // Calls that failed together wait together, so that they make a batch again.
  const pauses = new WeakMap<object, ReturnType<typeof startPause>>();

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
      const failure = Object(error) as Passing;
      const { response, retryAfterMs } = failure;
      const header = response?.headers.get('retry-after') as string;
      // What the server asks for, in the answer or in Retry-After (RFC 9110, 10.2.3); NaN: nothing.
      const asked =
        typeof retryAfterMs === 'number'
          ? retryAfterMs
          : +header * 1000 || Date.parse(header) - Date.now();
      const askedMs = asked > 0 ? asked : 0;
      const mayRepeat =
        (reads?.(call.method) ?? call.reads) || failure.code === -32005 || failure.status === 429;
      const isOver = signal.aborted || attempt > retries || askedMs > maxBackoffMs;
      if (isOver || !failure.retryable || !mayRepeat) throw error;
      const together = response ?? failure;
      const backoff = random() * Math.min(maxBackoffMs, (backoffMs / 2) * 2 ** attempt);
      const [delayMs, over] = pauses.get(together) ?? startPause(askedMs + backoff);
      pauses.set(together, [delayMs, over]);
      onRetry?.({ ...sent, delayMs, error });
      await over;
      signal.throwIfAborted();
    }
  };
}

function startPause(delayMs: number) {
  return [
    delayMs,
    new Promise<void>((resolve) => {
      // The time limit of the calls that wait keeps a process alive, and ends with them.
      (startTimer(delayMs, resolve) as { unref?: () => void }).unref?.();
    }),
  ] as const;
}
