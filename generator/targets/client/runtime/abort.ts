/** Settles as the promise does, or rejects with the signal's reason as soon as it aborts. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, reject);
    promise.then(resolve, reject).finally(stop);
  });
}

/**
 * Calls `act` with the signal's reason when it aborts, at once if it has.
 * Returns what takes the listener off again: a signal often outlives the call.
 */
export function onAbort(signal: AbortSignal, act: (reason: unknown) => void): () => void {
  const listener = (): void => act(signal.reason);
  if (signal.aborted) {
    listener();
    return () => {};
  }
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
