import type { LeaseBatch, LeaseReply, LeaseRequest } from '../store/leases.ts';
import type { Clock } from '../time/clock.ts';
import { readMoment, type Moment } from '../time/moment.ts';

/** A reply, and when its request was sent: the times of a lease count from then. */
export interface SentReply {
  readonly reply: LeaseReply;
  readonly sentAt: Moment;
}

export interface BatcherOptions {
  readonly renewLeases: (batch: LeaseBatch) => Promise<readonly LeaseReply[]>;
  readonly terms: Omit<LeaseBatch, 'requests'>;
  readonly clock: Clock;
  /** Called for every failed batch. */
  readonly onFailure: (error: unknown) => void;
}

interface QueuedRequest {
  readonly write: (now: Moment) => LeaseRequest;
  readonly resolve: (sent: SentReply) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH_REQUESTS = 32;
const MAX_CONCURRENT_BATCHES = 2;
/** How long nothing is sent after the store has failed. */
const COOLDOWN_MS = 250;
/** One failure may be a broken connection; after two in a row the store is down. */
const FAILURES_WHEN_DOWN = 2;

/**
 * Sends lease requests to the store in batches. A request is written when its batch is sent, so that
 * it reports the latest usage.
 */
export class LeaseBatcher {
  readonly #options: BatcherOptions;
  #queue: QueuedRequest[] = [];
  #inFlight = 0;
  #isScheduled = false;
  #failures = 0;
  #failedAt_ms = 0;

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  get isDown(): boolean {
    return this.#failures >= FAILURES_WHEN_DOWN;
  }

  get isCoolingDown(): boolean {
    const { clock } = this.#options;
    return this.#failures > 0 && clock.monotonic_ms() - this.#failedAt_ms < COOLDOWN_MS;
  }

  /** Queues a request for the next batch; rejects if the batch fails. */
  send(write: (now: Moment) => LeaseRequest): Promise<SentReply> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ write, resolve, reject });
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      // Requests of the same turn of the event loop share a batch.
      if (this.isCoolingDown) setTimeout(() => this.#sendQueued(), COOLDOWN_MS);
      else queueMicrotask(() => this.#sendQueued());
    });
  }

  #sendQueued(): void {
    this.#isScheduled = false;
    while (this.#queue.length > 0 && this.#inFlight < MAX_CONCURRENT_BATCHES) {
      void this.#sendBatch(this.#queue.splice(0, MAX_BATCH_REQUESTS));
    }
  }

  async #sendBatch(batch: readonly QueuedRequest[]): Promise<void> {
    const { renewLeases, terms, clock, onFailure } = this.#options;
    const sentAt = readMoment(clock);
    this.#inFlight += 1;
    try {
      const requests = batch.map(({ write }) => write(sentAt));
      const replies = await renewLeases({ requests, ...terms });
      this.#failures = 0;
      for (const [index, { resolve }] of batch.entries()) {
        resolve({ reply: replies[index]!, sentAt });
      }
    } catch (error) {
      this.#failures += 1;
      this.#failedAt_ms = clock.monotonic_ms();
      onFailure(error);
      for (const { reject } of batch) reject(error);
    } finally {
      this.#inFlight -= 1;
      if (!this.#isScheduled) this.#sendQueued();
    }
  }
}
