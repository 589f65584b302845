import { readNumber, startTimer } from './bounds.ts';
import { TimeoutError } from './client-error.ts';
import type { CallOptions } from './options.ts';
import {
  type Answer,
  type Call,
  type CallContext,
  type Transport,
  wrapTransport,
} from './transport.ts';

/**
 * Bounds each call's time, all of it: waiting, connecting, answering, and retries where those are
 * wrapped. Rejects as soon as the time is over or the signal aborts, whatever the transport does.
 * @throws TimeoutError when it is over; the call below is aborted.
 */
export function withTimeout<Wide>(transport: Transport<Wide>, timeoutMs: number): Transport<Wide> {
  return wrapTransport(transport, (call, context) =>
    sendWithin(transport, call, context, timeoutMs),
  );
}

/** Sends one call, and bounds its time: by its own limit, or else by that of the client. */
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
