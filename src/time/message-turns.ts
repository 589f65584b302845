/** Time for messages in one turn of the event loop; after it, timers and other input are handled. */
const TURN_MS = 5;

/**
 * Time per message that senders may take while others wait. One that takes more is passed over once for each
 * further time of this length: a message of 1 MiB may take a thousand times as long as a small one.
 */
const SHARE_MS = 0.2;

/** Maximum time for which a sender is passed over. */
const MAX_DEBT_MS = 100;

/** Handles a message, or its next part; `unfinished` asks to be called again for the rest. */
export type Work = () => 'unfinished' | undefined;

interface Waiting {
  readonly work: Work;
  next: Waiting | undefined;
}

/** A queue as a linked list: removing the first element of a large array moves all others. */
class WorkQueue {
  #first: Waiting | undefined;
  #last: Waiting | undefined;

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  add(work: Work): void {
    const added = { work, next: undefined };
    if (this.#last === undefined) this.#first = added;
    else this.#last.next = added;
    this.#last = added;
  }

  /** Removes and returns the first element. */
  take(): Work | undefined {
    const first = this.#first;
    this.#first = first?.next;
    if (this.#first === undefined) this.#last = undefined;
    return first?.work;
  }

  /** Adds an element before all others. */
  putBack(work: Work): void {
    this.#first = { work, next: this.#first };
    this.#last ??= this.#first;
  }
}

/**
 * Shares the time of the process among the senders of messages. One read of a WebSocket can bring a
 * thousand messages, and hundreds of HTTP requests can arrive at once; those that do not fit into a
 * turn of the event loop wait, and senders take turns.
 */
export class MessageTurns<Sender = string> {
  readonly #now_ms: () => number;
  readonly #waiting = new Map<Sender, WorkQueue>();
  /** Time that senders took beyond their share while others waited. */
  readonly #debts_ms = new Map<Sender, number>();
  /** Start of the current turn; undefined before its first message. */
  #startedAt_ms: number | undefined;

  constructor(now_ms: () => number) {
    this.#now_ms = now_ms;
  }

  /** Handles a message now, or in a later turn of the event loop if this one has no time left. */
  run(sender: Sender, work: Work): void {
    const startedAt_ms = this.#begin();
    while (this.#waiting.size === 0 && this.#hasTime(startedAt_ms)) {
      if (work() !== 'unfinished') return;
    }
    this.#queueOf(sender).add(work);
  }

  /**
   * Resolves once the sender may handle a message; undefined if that is now. Its work up to its next wait
   * belongs to that turn.
   */
  wait(sender: Sender): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.#hasTime(this.#begin())) return undefined;
    return new Promise((resolve) => {
      this.run(sender, () => void resolve());
    });
  }

  /** Returns the start of the current turn. */
  #begin(): number {
    if (this.#startedAt_ms === undefined) {
      this.#startedAt_ms = this.#now_ms();
      setImmediate(() => this.#nextTurn());
    }
    return this.#startedAt_ms;
  }

  #nextTurn(): void {
    const now_ms = this.#now_ms();
    if (this.#waiting.size === 0) this.#rest();
    else this.#handleWaiting(now_ms, now_ms);
  }

  #rest(): void {
    this.#startedAt_ms = undefined;
    this.#debts_ms.clear();
  }

  /**
   * Handles the next message, then those after it while the turn has time. What a message does in
   * resolved promises takes time too, so the next one waits for it: Node empties the queue of promises
   * before it runs a callback of `process.nextTick` that one of them has added.
   */
  #handleWaiting(startedAt_ms: number, now_ms: number): void {
    this.#startedAt_ms = startedAt_ms;
    const sender = this.#handleNext();
    queueMicrotask(() =>
      process.nextTick(() => {
        const ended_ms = this.#now_ms();
        if (this.#waiting.size === 0) return this.#rest();
        this.#charge(sender, ended_ms - now_ms);
        if (ended_ms - startedAt_ms < TURN_MS) this.#handleWaiting(startedAt_ms, ended_ms);
        else setImmediate(() => this.#nextTurn());
      }),
    );
  }

  /** Handles a message of the sender that has waited longest since its last one. Returns the sender. */
  #handleNext(): Sender {
    const [sender, messages] = this.#takeNext();
    const work = messages.take();
    if (!messages.isEmpty) this.#waiting.set(sender, messages);
    if (work?.() === 'unfinished') this.#queueOf(sender).putBack(work);
    return sender;
  }

  /** Takes the next sender from those that wait. Those in debt are passed over, unless there are no others. */
  #takeNext(): readonly [Sender, WorkQueue] {
    for (;;) {
      const [next] = this.#waiting as unknown as [readonly [Sender, WorkQueue]];
      const [sender, messages] = next;
      const debt_ms = this.#debts_ms.get(sender) ?? 0;
      this.#waiting.delete(sender);
      if (debt_ms < SHARE_MS || this.#waiting.size === 0) return next;
      this.#debts_ms.set(sender, debt_ms - SHARE_MS);
      this.#waiting.set(sender, messages);
    }
  }

  #charge(sender: Sender, took_ms: number): void {
    const isAlone = this.#waiting.size === 1 && this.#waiting.has(sender);
    const debt_ms = (this.#debts_ms.get(sender) ?? 0) + took_ms - SHARE_MS;
    if (isAlone || debt_ms < SHARE_MS) this.#debts_ms.delete(sender);
    else this.#debts_ms.set(sender, Math.min(debt_ms, MAX_DEBT_MS));
  }

  #queueOf(sender: Sender): WorkQueue {
    let queue = this.#waiting.get(sender);
    if (queue === undefined) this.#waiting.set(sender, (queue = new WorkQueue()));
    return queue;
  }

  #hasTime(startedAt_ms: number): boolean {
    return this.#now_ms() - startedAt_ms < TURN_MS;
  }
}
