import { startTimer } from './bounds.ts';
import { ClientError } from './client-error.ts';
import { type Call, type ResponseInfo, type Transport, wrapTransport } from './transport.ts';

/** A call that is about to be sent again. */
export interface Retry {
  readonly call: Call;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: unknown;
}

export interface RetryOptions {
  /** How often a call may be sent again. */
  readonly retries: number;
  /** The first wait is at most so long, each further one at most twice the one before. */
  readonly backoffMs: number;
  /** The longest wait; a server that asks for a longer one is not asked again. */
  readonly maxBackoffMs: number;
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** A number from 0 to 1 (Math.random). */
  readonly random?: (() => number) | undefined;
}

/** What is read of an error that may pass. */
type Passing = ClientError & {
  readonly code?: number;
  readonly status?: number | null;
  readonly retryAfterMs?: unknown;
  readonly response?: ResponseInfo | null;
};

/**
 * Sends a call again that failed on the way, after a wait with jitter that grows. A call that may
 * change something is sent again only when it was refused before anything was done (HTTP 429).
 */
export function withRetry<Wide>(
  transport: Transport<Wide>,
  { retries, backoffMs, maxBackoffMs, onRetry, random = Math.random }: RetryOptions,
): Transport<Wide> {
  // Calls that failed together wait together, so that they make a batch again.
  const pauses = new WeakMap<object, readonly [delayMs: number, over: Promise<void>]>();

  const pauseAfter = (error: Passing, attempt: number) => {
    const askedMs = askedDelayMs(error);
    if (askedMs > maxBackoffMs) return undefined;
    const key = error.response ?? error;
    let pause = pauses.get(key);
    if (pause === undefined) {
      const jitterMs = random() * Math.min(maxBackoffMs, backoffMs * 2 ** (attempt - 1));
      const delayMs = askedMs + jitterMs;
      pause = [
        delayMs,
        new Promise((resolve) => {
          startTimer(delayMs, resolve);
        }),
      ];
      pauses.set(key, pause);
    }
    return pause;
  };

  return wrapTransport(transport, async (call, { signal }) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await transport(call, { signal, attempt });
      } catch (error) {
        const pause =
          attempt <= retries && !signal.aborted && mayRepeat(call, error)
            ? pauseAfter(error, attempt)
            : undefined;
        if (pause === undefined) throw error;
        onRetry?.({ call, attempt, delayMs: pause[0], error });
        await pause[1];
        signal.throwIfAborted();
      }
    }
  });
}

function mayRepeat({ reads }: Call, error: unknown): error is Passing {
  if (!(error instanceof ClientError && error.retryable)) return false;
  const { code, status } = error as Passing;
  return reads === true || code === -32005 || status === 429;
}

/** How long the server asks to wait: in the answer, or in the header Retry-After (RFC 9110, 10.2.3). */
function askedDelayMs({ retryAfterMs, response }: Passing): number {
  const header = response?.headers.get('retry-after') ?? '';
  const asked = retryAfterMs ?? (Number(header) * 1000 || Date.parse(header) - Date.now());
  return Math.max(0, Number(asked) || 0);
}
