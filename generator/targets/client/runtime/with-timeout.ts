import { readNumber, startTimer } from './bounds.ts';
import { TimeoutError } from './errors.ts';
import type { CallOptions } from './options.ts';
import {
  type Answer,
  type Call,
  type CallContext,
  type Transport,
  wrapTransport,
} from './transport.ts';

/**
 * Limits the total time of each call, including waiting and wrapped retries. Rejects when the time is
 * up or the signal aborts, even if the transport does not.
 * @throws TimeoutError
 */
export function withTimeout<Wide>(transport: Transport<Wide>, timeoutMs: number): Transport<Wide> {
  return wrapTransport(transport, (call, context) =>
    sendWithin(transport, call, context, timeoutMs),
  );
}

/** Sends one call within its own timeout, or else within the client's. */
export function sendWithin(
  transport: (call: Call, context: CallContext) => Promise<Answer>,
  call: Call,
  own: CallOptions & { readonly attempt?: number },
  limitMs: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { signal } = own;
    const timeoutMs = readNumber(own, 'timeoutMs', limitMs, 1);
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stop = (reason: unknown): void => {
      reject(reason);
      controller.abort(reason);
    };
    const abort = (): void => stop(signal!.reason);
    const timer = startTimer(timeoutMs, () => stop(new TimeoutError(call.method, timeoutMs)));
    signal?.addEventListener('abort', abort);
    transport(call, { ...own, signal: controller.signal } as CallContext)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      });
  });
}
