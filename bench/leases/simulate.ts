import type { Refusal, Reservation } from '../../src/credits/ledger.ts';
import { defaultCreditLimits } from '../../src/credits/limits.ts';
import { Instance, type Exchange, type World } from './instance.ts';
import { COSTS, termsOf, type Traffic } from './accounts.ts';
import { createChance } from '../diff/instances/instances.ts';
import { pickZipf } from './zipf.ts';
import { SimulatedStore } from './store.ts';
import { Timeline } from './timeline.ts';

/** `duration_s`: virtual time with calls; afterwards all leases end. */
export interface SimulationOptions extends Traffic {
  readonly instances: number;
  /** Instances that the calls of one account reach. */
  readonly spread: number;
  /** Crashes, and cuts of the network between an instance and the store. */
  readonly crashes: number;
  readonly partitions: number;
  readonly onExchange?: (exchange: Exchange) => void;
}

/** All in credits unless the name says otherwise. */
export interface SimulationFigures {
  readonly calls: number;
  readonly served_calls: number;
  /** Calls whose instance crashed before the answer. */
  readonly failed_calls: number;
  /** Calls rejected because no credits were left. */
  readonly rejected_calls: number;
  /** Of these, calls whose account had enough: leased to other instances, or lost. */
  readonly wrongly_rejected_calls: number;
  /** Calls rejected because the store could not be reached. */
  readonly unavailable_calls: number;
  /** In the last third of the time: only then as many leases end as begin. */
  readonly rates: Rates;
  readonly peak_transactions_per_s: number;
  /** Totals of the store when all leases have ended. */
  readonly end: SimulatedStore['totals'];
  readonly served: number;
  /** Leased and unused: average and maximum of one sample per second. */
  readonly stranded_mean: number;
  readonly stranded_max: number;
  /** Credits per day of the accounts that made calls. */
  readonly allowances: number;
  /** Lost when leases expired, by what kept their instance from renewing them. */
  readonly lost: { readonly crash: number; readonly partition: number; readonly other: number };
  /** What crashed instances held. */
  readonly held_by_crashed: number;
  /** The most by which any account used more than it has. */
  readonly overspent: number;
}

/** What the store does, per second. */
export interface Rates {
  readonly calls: number;
  /** Transactions that renew leases, the leases in them, and the leases read for those. */
  readonly batches: number;
  readonly requests: number;
  readonly rows: number;
  /** Transactions that close expired leases. */
  readonly closings: number;
}

type Sample = Rates & { readonly stranded: number };

const STEADY_PART = 1 / 3;

const NOON_MS = Date.parse('2026-11-21T12:00:00Z');
/** Calls that fail at the node, and are not charged. */
const FAILING = 0.02;
const CALL_MS = 5;
const CALL_SPREAD_MS = 95;
const RESTART_MS = 5_000;
/** From a blink to more than twice the life of a lease. */
const PARTITION_MS = [500, 35_000] as const;

/** Simulates gateways on one store with the real ledgers; repeats itself with its seed. */
export async function simulate(options: SimulationOptions): Promise<SimulationFigures> {
  const simulation = new Simulation(options);
  await simulation.run();
  return simulation.figures;
}

class Simulation {
  readonly #options: SimulationOptions;
  readonly #random: () => number;
  readonly #timeline = new Timeline();
  readonly #world: World;
  readonly #instances: Instance[];
  readonly #owners = new Map<string, Instance>();
  /** By rank of the account. */
  readonly #allowances: Float64Array;
  /** Credits left when the simulation starts. */
  readonly #left: Float64Array;
  readonly #served: Float64Array;
  readonly #reserved: Float64Array;
  #allReserved = 0;
  #due = 0;
  readonly #counts = { calls: 0, served: 0, failed: 0, rejected: 0, wrong: 0, unavailable: 0 };
  readonly #lost = { crash: 0, partition: 0, other: 0 };
  /** One per second, counted from the start. */
  readonly #samples: Sample[] = [];
  #heldByCrashed = 0;

  constructor(options: SimulationOptions) {
    const { accounts, instances, seed } = options;
    this.#options = options;
    this.#random = createChance(seed);
    const terms = Array.from({ length: accounts }, (_, rank) => termsOf(options, rank));
    this.#allowances = Float64Array.from(terms, ({ allowance }) => allowance);
    this.#left = Float64Array.from(terms, ({ left }) => left);
    this.#served = new Float64Array(accounts);
    this.#reserved = new Float64Array(accounts);
    this.#world = {
      timeline: this.#timeline,
      store: new SimulatedStore({
        allowanceOf: (id) => this.#allowances[Number(id)]!,
        spentOf: (id) => this.#allowances[Number(id)]! - this.#left[Number(id)]!,
        onExpired: (leaseId, held) => this.#onExpired(leaseId, held),
      }),
      random: this.#random,
      start_ms: NOON_MS,
      max_call_credits: Math.max(...COSTS),
      onBatch: (instance, exchange) => this.#onBatch(instance, exchange),
    };
    this.#instances = Array.from({ length: instances }, () => new Instance(this.#world));
  }

  async run(): Promise<void> {
    const { duration_s, crashes, partitions } = this.#options;
    const duration_ms = duration_s * 1000;
    // Not at the very end, so that what follows is seen.
    const moment = (): number => this.#random() * duration_ms * 0.8;
    for (let count = 0; count < crashes; count += 1) {
      this.#timeline.after(moment(), () => this.#crash(this.#pick()));
    }
    const [min_ms, max_ms] = PARTITION_MS;
    for (let count = 0; count < partitions; count += 1) {
      const length_ms = min_ms + this.#random() * (max_ms - min_ms);
      this.#timeline.after(moment(), () => this.#instances[this.#pick()]!.cut(length_ms));
    }
    await this.#timeline.pass(duration_ms, () => this.#call());
    const closing_ms = max_ms + 2 * defaultCreditLimits.lease_ttl_ms;
    await this.#timeline.pass(closing_ms);
  }

  get figures(): SimulationFigures {
    const { calls, served, failed, rejected, wrong, unavailable } = this.#counts;
    const stranded = this.#samples.map((sample) => sample.stranded);
    let [allowances, overspent, all] = [0, 0, 0];
    for (const [rank, used] of this.#served.entries()) {
      if (used > 0) allowances += this.#allowances[rank]!;
      overspent = Math.max(overspent, used - this.#left[rank]!);
      all += used;
    }
    return {
      calls,
      served_calls: served,
      failed_calls: failed,
      rejected_calls: rejected,
      wrongly_rejected_calls: wrong,
      unavailable_calls: unavailable,
      rates: this.#rates(this.#samples.slice(-1 - Math.floor(this.#samples.length * STEADY_PART))),
      peak_transactions_per_s: this.#peak(),
      end: this.#world.store.totals,
      served: all,
      stranded_mean: stranded.reduce((sum, each) => sum + each, 0) / stranded.length,
      stranded_max: Math.max(...stranded),
      allowances,
      lost: this.#lost,
      held_by_crashed: this.#heldByCrashed,
      overspent,
    };
  }

  #pick(): number {
    return Math.floor(this.#random() * this.#instances.length);
  }

  #call(): void {
    if (this.#timeline.now_ms % 1000 === 0) this.#sample();
    this.#due += this.#options.calls_per_s / 1000;
    for (; this.#due >= 1; this.#due -= 1) this.#callOnce();
  }

  #callOnce(): void {
    const random = this.#random;
    const rank = pickZipf(random, this.#options.accounts);
    const instance = this.#route(rank);
    const cost = COSTS[Math.floor(random() * COSTS.length)]!;
    const accountId = String(rank);
    const spender = { accountId, keyId: accountId, creditsPerDay: this.#allowances[rank]! };
    this.#counts.calls += 1;
    const outcome = instance.ledger.reserve(spender, 'call', cost);
    const onOutcome = (charge: Reservation | Refusal): void =>
      this.#onOutcome(charge, { rank, cost, instance });
    if (outcome instanceof Promise) void outcome.then(onOutcome);
    else onOutcome(outcome);
  }

  /** Calls of an account go to a few instances, or to their neighbors while those are down. */
  #route(rank: number): Instance {
    const { length } = this.#instances;
    const slot = Math.floor(this.#random() * Math.min(length, this.#options.spread));
    let index = (Math.imul(rank + 1, 0x9e3779b1) >>> 0) % length;
    index = (index + slot) % length;
    while (this.#instances[index]!.isCrashed) index = (index + 1) % length;
    return this.#instances[index]!;
  }

  #onOutcome(
    charge: Reservation | Refusal,
    { rank, cost, instance }: { rank: number; cost: number; instance: Instance },
  ): void {
    if ('reason' in charge) {
      if (charge.reason === 'store_unavailable') this.#counts.unavailable += 1;
      else this.#onRefused(rank, cost);
      return;
    }
    this.#reserved[rank]! += cost;
    this.#allReserved += cost;
    this.#timeline.after(CALL_MS + this.#random() * CALL_SPREAD_MS, () => {
      this.#reserved[rank]! -= cost;
      this.#allReserved -= cost;
      if (instance.isCrashed) this.#counts.failed += 1;
      else if (this.#random() < FAILING) charge.release();
      else {
        charge.settle();
        this.#counts.served += 1;
        this.#served[rank]! += cost;
        instance.served += cost;
      }
    });
  }

  #onRefused(rank: number, cost: number): void {
    this.#counts.rejected += 1;
    const used = this.#served[rank]! + this.#reserved[rank]!;
    if (this.#left[rank]! - used >= cost) this.#counts.wrong += 1;
  }

  #crash(index: number): void {
    const crashed = this.#instances[index]!;
    if (crashed.isCrashed) return;
    crashed.isCrashed = true;
    for (const held of crashed.held.values()) this.#heldByCrashed += held;
    this.#timeline.after(RESTART_MS, () => {
      this.#instances[index] = new Instance(this.#world);
    });
  }

  #onBatch(instance: Instance, exchange: Exchange): void {
    for (const { leaseId, held } of exchange.replies) {
      this.#owners.set(leaseId, instance);
      // Sent before the crash: the store grants to a process that is gone.
      if (instance.isCrashed) this.#heldByCrashed += held;
    }
    this.#options.onExchange?.(exchange);
  }

  #onExpired(leaseId: string, held: number): void {
    const { isCrashed, wasCut } = this.#owners.get(leaseId)!;
    this.#lost[isCrashed ? 'crash' : wasCut ? 'partition' : 'other'] += held;
  }

  #sample(): void {
    const { leased, batches, requests, rows, closings } = this.#world.store.totals;
    let unreported = 0;
    for (const { served, reported } of this.#instances) unreported += served - reported;
    const stranded = leased - unreported - this.#allReserved;
    const { calls } = this.#counts;
    this.#samples.push({ calls, batches, requests, rows, closings, stranded });
  }

  #rates(samples: readonly Sample[]): Rates {
    const [first, last] = [samples[0]!, samples.at(-1)!];
    const rate = (name: keyof Rates): number =>
      (last[name] - first[name]) / Math.max(1, samples.length - 1);
    return {
      calls: rate('calls'),
      batches: rate('batches'),
      requests: rate('requests'),
      rows: rate('rows'),
      closings: rate('closings'),
    };
  }

  #peak(): number {
    const totals = this.#samples.map(({ batches, closings }) => batches + closings);
    return Math.max(...totals.map((total, index) => total - (totals[index - 1] ?? 0)));
  }
}
