/** Time for messages in one turn of the event loop; after it, timers and other input are handled. */
const TURN_MS = 5;

/**
 * How long messages wait while connections are accepted, before they get a turn again. Node accepts one
 * connection in each turn of the event loop; without this, a thousand connections would wait for a thousand
 * turns full of messages.
 */
const ACCEPTING_MS = 10;

/** Whose turn a message needs: that of one sender, or of any of several that wait for the same message. */
export type Senders<Sender = string> = Sender | ReadonlySet<Sender>;

/** Number of senders whose time is remembered, in addition to those that have used more than others. */
const MAX_SENDERS = 1_000;

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
 * turn of the event loop wait, and senders take turns: the next message is that of the sender that has used
 * the least time, since one message may take as long as a hundred others.
 */
export class MessageTurns<Sender = string> {
  readonly #now_ms: () => number;
  readonly #waiting = new Map<Senders<Sender>, WorkQueue>();
  /** Start of the current turn; undefined before its first message. */
  #startedAt_ms: number | undefined;
  /** Time that senders have used since messages began to wait; those not listed have used `#min_ms`. */
  readonly #used_ms = new Map<Sender, number>();
  /** What the latest sender had used before its message: the minimum at that time. */
  #min_ms = 0;
  /** Time of work that is done later, by which the clock is ahead. */
  #added_ms = 0;
  /** Whether a connection was accepted in this turn of the event loop. */
  #hasAccepted = false;
  /** Since when messages wait for connections. */
  #acceptingFrom_ms: number | undefined;

  constructor(now_ms: () => number) {
    this.#now_ms = () => now_ms() + this.#added_ms;
  }

  /** Handles a message now, or in a later turn of the event loop if this one has no time left. */
  run(senders: Senders<Sender>, work: Work): void {
    const startedAt_ms = this.#begin();
    while (this.#waiting.size === 0 && this.#hasTime(startedAt_ms)) {
      if (work() !== 'unfinished') return;
    }
    this.#queueOf(senders).add(work);
  }

  /**
   * Resolves once one of the senders may handle a message; undefined if that is now. The work up to the next
   * wait belongs to that turn, and so do `later_ms` of work that it causes later.
   */
  wait(senders: Senders<Sender>, later_ms = 0): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.#hasTime(this.#begin())) {
      this.#added_ms += later_ms;
      return undefined;
    }
    return new Promise((resolve) => {
      this.run(senders, () => {
        this.#added_ms += later_ms;
        return void resolve();
      });
    });
  }

  /** Records that a connection was accepted: those behind it go before messages that wait. */
  accepted(): void {
    this.#hasAccepted = true;
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
    if (this.#waiting.size === 0) this.#end();
    else if (this.#isAccepting(now_ms)) setImmediate(() => this.#nextTurn());
    else this.#handleWaiting(now_ms);
  }

  #isAccepting(now_ms: number): boolean {
    const from_ms = this.#hasAccepted ? (this.#acceptingFrom_ms ?? now_ms) : -Infinity;
    this.#hasAccepted = false;
    const isAccepting = now_ms - from_ms < ACCEPTING_MS;
    this.#acceptingFrom_ms = isAccepting ? from_ms : undefined;
    return isAccepting;
  }

  /**
   * Handles the next message, then those after it while the turn has time. What a message does in
   * resolved promises takes time too, so the next one waits for it: Node empties the queue of promises
   * before it runs a callback of `process.nextTick` that one of them has added.
   */
  #handleWaiting(startedAt_ms: number, now_ms = startedAt_ms): void {
    this.#startedAt_ms = startedAt_ms;
    const sender = this.#handleNext();
    queueMicrotask(() =>
      process.nextTick(() => {
        const ended_ms = this.#now_ms();
        if (sender !== undefined) this.#count(sender, ended_ms - now_ms);
        if (this.#waiting.size === 0) this.#end();
        else if (ended_ms - startedAt_ms < TURN_MS) this.#handleWaiting(startedAt_ms, ended_ms);
        else setImmediate(() => this.#nextTurn());
      }),
    );
  }

  #end(): void {
    this.#startedAt_ms = undefined;
    this.#used_ms.clear();
    this.#min_ms = 0;
  }

  /** Handles a message of the sender that has used the least time; returns the sender. */
  #handleNext(): Sender | undefined {
    const next = this.#next();
    const messages = next && this.#waiting.get(next.senders);
    const work = messages?.take();
    if (next === undefined || messages === undefined || work === undefined) return undefined;
    const { senders, sender } = next;
    this.#waiting.delete(senders);
    if (!messages.isEmpty) this.#waiting.set(senders, messages);
    this.#min_ms = this.#usedBy(sender);
    if (work() === 'unfinished') this.#queueOf(senders).putBack(work);
    return sender;
  }

  /**
   * Returns the sender that has used the least time and the queue with its message; among equals, the queue
   * that has waited longest.
   */
  #next(): { readonly senders: Senders<Sender>; readonly sender: Sender } | undefined {
    let next: { readonly senders: Senders<Sender>; readonly sender: Sender } | undefined;
    let next_ms = Infinity;
    for (const senders of this.#waiting.keys()) {
      for (const sender of eachOf(senders)) {
        const used_ms = this.#usedBy(sender);
        if (used_ms >= next_ms) continue;
        next = { senders, sender };
        next_ms = used_ms;
      }
    }
    return next;
  }

  /** A sender cannot save up time in which it sends nothing. */
  #usedBy(sender: Sender): number {
    return Math.max(this.#used_ms.get(sender) ?? 0, this.#min_ms);
  }

  #count(sender: Sender, duration_ms: number): void {
    this.#used_ms.set(sender, this.#usedBy(sender) + duration_ms);
    if (this.#used_ms.size <= MAX_SENDERS) return;
    for (const [each, used_ms] of this.#used_ms) {
      if (used_ms <= this.#min_ms) this.#used_ms.delete(each);
    }
  }

  #queueOf(senders: Senders<Sender>): WorkQueue {
    let queue = this.#waiting.get(senders);
    if (queue === undefined) this.#waiting.set(senders, (queue = new WorkQueue()));
    return queue;
  }

  #hasTime(startedAt_ms: number): boolean {
    return this.#now_ms() - startedAt_ms < TURN_MS;
  }
}

function eachOf<Sender>(senders: Senders<Sender>): Iterable<Sender> {
  return senders instanceof Set ? (senders as ReadonlySet<Sender>) : [senders as Sender];
}
