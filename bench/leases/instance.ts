import { LeaseLedger } from '../../src/credits/lease-ledger.ts';
import { defaultCreditLimits } from '../../src/credits/limits.ts';
import { StoreError } from '../../src/store/database.ts';
import type { LeaseBatch, LeaseReply } from '../../src/store/leases.ts';
import type { SimulatedStore } from './store.ts';
import type { Timeline } from './timeline.ts';

export interface World {
  readonly timeline: Timeline;
  readonly store: SimulatedStore;
  readonly random: () => number;
  /** Unix time at the start of the simulation. */
  readonly start_ms: number;
  readonly max_call_credits: number;
  /** Called when the store has applied a batch. */
  readonly onBatch: (instance: Instance, exchange: Exchange) => void;
}

/** A batch, and what the store replied to it. */
export interface Exchange {
  readonly batch: LeaseBatch;
  readonly replies: readonly LeaseReply[];
  readonly now_ms: number;
}

/** One way between an instance and the store: at least, and a random part. */
const WAY_MS = 1;
const WAY_SPREAD_MS = 4;
/** How long an instance waits for a store that does not answer. */
const TIMEOUT_MS = 2_000;
/** A machine's clock is wrong by up to this. */
const SKEW_MS = 1_000;

/** A gateway: the real ledger, behind a network that can be cut. */
export class Instance {
  readonly ledger: LeaseLedger;
  readonly #world: World;
  /** When the network to the store is back. */
  #cutUntil_ms = 0;
  isCrashed = false;
  /** Whether the network to the store ever was cut. */
  wasCut = false;
  /** Credits of answered calls, and those of them that the store has. */
  served = 0;
  reported = 0;
  /** Credits that the store has for each open lease. */
  readonly held = new Map<string, number>();

  constructor(world: World) {
    const { timeline, random, start_ms, max_call_credits } = world;
    const {
      lease_ttl_ms: ttl_ms,
      lease_tick_ms,
      store_wait_ms,
      waiting_calls,
    } = defaultCreditLimits;
    this.#world = world;
    const wall_ms = start_ms + (random() - 0.5) * 2 * SKEW_MS;
    this.ledger = new LeaseLedger({
      store: {
        renewLeases: (batch) => this.#send(batch),
        closeExpiredLeases: () =>
          this.#exchange((now_ms) => world.store.closeExpiredLeases(now_ms)),
        readToday: () => Promise.reject(new StoreError('not simulated')),
      },
      clock: { now_ms: () => wall_ms + timeline.now_ms, monotonic_ms: () => timeline.now_ms },
      limits: { ttl_ms, store_wait_ms, waiting_calls, max_call_credits },
      callRates: { measured: () => null, share: () => undefined },
      onFailure: () => undefined,
      random,
    });
    const tick = (): void => {
      if (this.isCrashed) return;
      this.ledger.renewDue();
      timeline.after(lease_tick_ms, tick);
    };
    timeline.after(random() * lease_tick_ms, tick);
  }

  get isCut(): boolean {
    return this.#world.timeline.now_ms < this.#cutUntil_ms;
  }

  cut(duration_ms: number): void {
    this.#cutUntil_ms = this.#world.timeline.now_ms + duration_ms;
    this.wasCut = true;
  }

  #send(batch: LeaseBatch): Promise<readonly LeaseReply[]> {
    return this.#exchange((now_ms) => {
      const replies = this.#world.store.renewLeases(batch, now_ms);
      for (const [index, { leaseId, state, held, isRepeated }] of replies.entries()) {
        if (state === 'open') this.held.set(leaseId, held);
        else this.held.delete(leaseId);
        const { usage } = batch.requests[index]!;
        if (!isRepeated) for (const { credits } of usage) this.reported += credits;
      }
      this.#world.onBatch(this, { batch, replies, now_ms });
      return replies;
    });
  }

  /** A request reaches the store, and its reply the instance, unless the network is cut then. */
  #exchange<T>(perform: (now_ms: number) => T): Promise<T> {
    const { timeline, random, start_ms } = this.#world;
    const way_ms = (): number => WAY_MS + random() * WAY_SPREAD_MS;
    return new Promise((resolve, reject) => {
      const fail = (isUncertain: boolean): void =>
        timeline.after(TIMEOUT_MS, () => reject(new StoreError('no answer', { isUncertain })));
      if (this.isCut) return fail(false);
      timeline.after(way_ms(), () => {
        if (this.isCut) return fail(true);
        const result = perform(start_ms + timeline.now_ms);
        timeline.after(way_ms(), () => {
          // Nothing waits for the reply in a process that is gone.
          if (this.isCrashed) return;
          if (this.isCut) fail(true);
          else resolve(result);
        });
      });
    });
  }
}
