/** Whether work was canceled: an AbortSignal, or a `Cancellation`, which costs a tenth as much. */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: Listener, options?: { readonly once: boolean }): void;
  removeEventListener(type: 'abort', listener: Listener): void;
}

type Listener = (event?: unknown) => void;

/** Cancels one call. Each listener is called once at most. */
export class Cancellation implements CancelSignal {
  aborted = false;
  reason: unknown;
  /** A call rarely has more than one listener. */
  #only: Listener | undefined;
  #others: Set<Listener> | undefined;

  addEventListener(_: 'abort', listener: Listener): void {
    if (this.aborted) return;
    if (this.#only === undefined) this.#only = listener;
    else (this.#others ??= new Set()).add(listener);
  }

  removeEventListener(_: 'abort', listener: Listener): void {
    if (this.#only === listener) this.#only = undefined;
    else this.#others?.delete(listener);
  }

  abort(reason?: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const [only, others] = [this.#only, this.#others];
    this.#only = undefined;
    this.#others = undefined;
    only?.();
    for (const listener of others ?? []) listener();
  }
}

/** For work that nothing cancels. */
export const NEVER: CancelSignal = Object.freeze({
  aborted: false,
  reason: undefined,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
});
