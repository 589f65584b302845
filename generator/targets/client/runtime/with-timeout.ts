import { abortable, onAbort } from './abort.ts';
import { startTimer } from './bounds.ts';
import { TimeoutError } from './client-error.ts';
import { type Transport, wrapTransport } from './transport.ts';

/**
 * Bounds each call's time, all of it: waiting, connecting, answering.
 * @throws TimeoutError when it is over; the call below is aborted.
 */
export function withTimeout(transport: Transport, timeoutMs: number): Transport {
  return wrapTransport(transport, async (call, context) => {
    const controller = new AbortController();
    const unlink = onAbort(context.signal, (reason) => controller.abort(reason));
    const stop = startTimer(timeoutMs, () =>
      controller.abort(new TimeoutError(call.method, timeoutMs)),
    );
    try {
      controller.signal.throwIfAborted();
      const { signal } = controller;
      return await abortable(transport(call, { ...context, signal }), signal);
    } finally {
      stop();
      unlink();
    }
  });
}
