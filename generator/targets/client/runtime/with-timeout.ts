import { startTimer } from './bounds.ts';
import { TimeoutError } from './client-error.ts';
import { type CallContext, type Transport, wrapTransport } from './transport.ts';

/**
 * Bounds each call's time, all of it: waiting, connecting, answering, and retries where those are
 * wrapped. Rejects as soon as the time is over or the signal aborts, whatever the transport does.
 * @throws TimeoutError when it is over; the call below is aborted.
 */
export function withTimeout<Wide>(transport: Transport<Wide>, timeoutMs: number): Transport<Wide> {
  return wrapTransport(
    transport,
    // Outermost, it may be given no signal: one of its own for each call would be for nothing.
    (call, { signal, attempt }: Partial<CallContext>) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const controller = new AbortController();
        const clean = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
        };
        const stop = (reason: unknown): void => {
          clean();
          reject(reason);
          controller.abort(reason);
        };
        const onAbort = (): void => stop(signal?.reason);
        const timer = startTimer(timeoutMs, () => stop(new TimeoutError(call.method, timeoutMs)));
        signal?.addEventListener('abort', onAbort);
        transport(call, { signal: controller.signal, attempt: attempt ?? 1 })
          .then(resolve, reject)
          .finally(clean);
      }),
  );
}
