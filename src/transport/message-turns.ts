/** Time that messages may take in one turn of the event loop, before timers and other input. */
const TURN_MS = 5;

/**
 * Shares the time of the process among accounts. One read of a WebSocket can bring a thousand
 * messages; those that do not fit into a turn of the event loop wait, and accounts take turns.
 */
export class MessageTurns {
  readonly #now_ms: () => number;
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Start of the current turn; undefined before its first message. */
  #startedAt_ms: number | undefined;

  constructor(now_ms: () => number) {
    this.#now_ms = now_ms;
  }

  /** Handles a message now, or in a later turn of the event loop if this one has no time left. */
  run(account: string, handle: () => void): void {
    if (this.#startedAt_ms === undefined) {
      this.#startedAt_ms = this.#now_ms();
      setImmediate(() => this.#nextTurn());
    }
    if (this.#waiting.size === 0 && this.#hasTime(this.#startedAt_ms)) return handle();
    const messages = this.#waiting.get(account);
    if (messages === undefined) this.#waiting.set(account, [handle]);
    else messages.push(handle);
    return undefined;
  }

  #nextTurn(): void {
    const startedAt_ms = this.#now_ms();
    while (this.#waiting.size > 0 && this.#hasTime(startedAt_ms)) this.#handleNext();
    this.#startedAt_ms = this.#waiting.size === 0 ? undefined : startedAt_ms;
    if (this.#waiting.size > 0) setImmediate(() => this.#nextTurn());
  }

  /** Handles a message of the account that has waited longest since its last one. */
  #handleNext(): void {
    const [[account, messages] = []] = this.#waiting;
    if (account === undefined || messages === undefined) return;
    const handle = messages.shift();
    this.#waiting.delete(account);
    if (messages.length > 0) this.#waiting.set(account, messages);
    handle?.();
  }

  #hasTime(startedAt_ms: number): boolean {
    return this.#now_ms() - startedAt_ms < TURN_MS;
  }
}
