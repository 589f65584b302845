import type { LeaseBatch, LeaseReply, LeaseRequest } from '../store/leases.ts';
import type { Clock } from '../time/clock.ts';
import { readMoment, type Moment } from '../time/moment.ts';

/** A reply, and when its request was sent: the time of a lease counts from there. */
export interface Carried {
  readonly reply: LeaseReply;
  readonly sentAt: Moment;
}

export interface CourierOptions {
  readonly renewLeases: (batch: LeaseBatch) => Promise<readonly LeaseReply[]>;
  readonly terms: Omit<LeaseBatch, 'requests'>;
  readonly clock: Clock;
  /** Hears of every batch that failed. */
  readonly onFailure: (error: unknown) => void;
}

interface Errand {
  readonly write: (now: Moment) => LeaseRequest;
  readonly resolve: (carried: Carried) => void;
  readonly reject: (error: unknown) => void;
}

const MOST_IN_A_BATCH = 32;
const MOST_BATCHES_AT_ONCE = 2;
/** How long the store is left alone once it has failed. */
const REST_MS = 250;
/** One failure may be a connection that broke; from the second on, in a row, the store is down. */
const FAILURES_WHEN_DOWN = 2;

/**
 * Takes requests to the store, all that come together in one operation. A request is written when it
 * leaves, so that it tells the newest.
 */
export class LeaseCourier {
  readonly #options: CourierOptions;
  #queue: Errand[] = [];
  #underWay = 0;
  #isLeaving = false;
  #failures = 0;
  #failedAt_ms = 0;

  constructor(options: CourierOptions) {
    this.#options = options;
  }

  /** Whether the store is known not to answer: those who can should do without it. */
  get isDown(): boolean {
    return this.#failures >= FAILURES_WHEN_DOWN;
  }

  /** Whether the store has failed a moment ago: what is to be carried waits. */
  get isResting(): boolean {
    const { clock } = this.#options;
    return this.#failures > 0 && clock.monotonic_ms() - this.#failedAt_ms < REST_MS;
  }

  /** Rejects when the store does. */
  carry(write: (now: Moment) => LeaseRequest): Promise<Carried> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ write, resolve, reject });
      if (this.#isLeaving) return;
      this.#isLeaving = true;
      // What is asked for in the same turn goes together.
      if (this.isResting) setTimeout(() => this.#leave(), REST_MS);
      else queueMicrotask(() => this.#leave());
    });
  }

  #leave(): void {
    this.#isLeaving = false;
    while (this.#queue.length > 0 && this.#underWay < MOST_BATCHES_AT_ONCE) {
      void this.#carryBatch(this.#queue.splice(0, MOST_IN_A_BATCH));
    }
  }

  async #carryBatch(errands: readonly Errand[]): Promise<void> {
    const { renewLeases, terms, clock, onFailure } = this.#options;
    const sentAt = readMoment(clock);
    this.#underWay += 1;
    try {
      const requests = errands.map(({ write }) => write(sentAt));
      const replies = await renewLeases({ requests, ...terms });
      this.#failures = 0;
      for (const [index, { resolve }] of errands.entries()) {
        resolve({ reply: replies[index]!, sentAt });
      }
    } catch (error) {
      this.#failures += 1;
      this.#failedAt_ms = clock.monotonic_ms();
      onFailure(error);
      for (const { reject } of errands) reject(error);
    } finally {
      this.#underWay -= 1;
      if (!this.#isLeaving) this.#leave();
    }
  }
}
