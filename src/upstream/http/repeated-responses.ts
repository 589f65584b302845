import type { Socket } from 'node:net';

/** How long each call of an account is the last one on its connection. */
const APART_MS = 60_000;

/** Maximum number of such accounts; the oldest is removed first. */
const MAX_ACCOUNTS = 1_000;

/**
 * The accounts whose calls a node answers twice, so that the next call on the connection gets the response to
 * an earlier one. If it comes late, nothing shows it before the connection is used again.
 */
export class RepeatedResponses {
  readonly #monotonic_ms: () => number;
  /** The account of the latest call on a connection; empty for calls without one, such as those of a proxy. */
  readonly #latest = new WeakMap<Socket, string>();
  readonly #until_ms = new Map<string, number>();

  constructor(monotonic_ms: () => number) {
    this.#monotonic_ms = monotonic_ms;
  }

  /** Whether a call of this account must be the last one on its connection. */
  isApart(account = ''): boolean {
    if (this.#until_ms.size === 0) return false;
    return (this.#until_ms.get(account) ?? 0) > this.#monotonic_ms();
  }

  /**
   * Records that a call is sent over a connection. Returns a function that records that it got the response to
   * an earlier call.
   */
  send(socket: Socket, account = ''): () => void {
    const before = this.#latest.get(socket);
    this.#latest.set(socket, account);
    return () => {
      if (before === undefined) return;
      this.#until_ms.delete(before);
      if (this.#until_ms.size >= MAX_ACCOUNTS) {
        this.#until_ms.delete(this.#until_ms.keys().next().value!);
      }
      this.#until_ms.set(before, this.#monotonic_ms() + APART_MS);
    };
  }
}
