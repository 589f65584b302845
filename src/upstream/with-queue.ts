import type { CancelSignal } from '../time/cancellation.ts';
import { maySlotBeTaken } from './fair-slots.ts';
import { UNANSWERED } from './json-rpc.ts';
import {
  ABORTED,
  failure,
  type BatchedCall,
  type StreamingOutcome,
  type StreamOutcome,
  type TimedUpstream,
  type UpstreamCall,
} from './upstream.ts';
import { WaitingCalls, type WaitingCall } from './waiting-calls.ts';

export interface QueueLimits {
  /** Calls sent at a time; a single account may use all of them. */
  readonly in_flight: number;
  /** Additional calls sent at a time for accounts below their share. */
  readonly reserved: number;
  /** Waiting calls of all accounts. */
  readonly queued: number;
  /** Whether a stream keeps its slot until it has ended; otherwise only until it has begun. */
  readonly keepsStreams: boolean;
  /** Time that the node should have for a call. */
  readonly attempt_ms: number;
  readonly monotonic_ms: () => number;
}

/** Maximum number of calls in a batch to a node. Nodes allow between 20 and a few thousand. */
const MAX_BATCH_CALLS = 32;

/**
 * The most that an account is behind others because of its earlier calls: after calls that took long, it
 * waits for so much time of the calls of another account.
 */
const MAX_BEHIND_ms = 2_000;

/** Minimum time that a call counts for, so that accounts take turns whose calls take none. */
const MIN_CALL_ms = 0.001;

/** The calls of one account; removed with the last of them. */
interface AccountCalls {
  readonly name: string;
  inFlight: number;
  /** The time that its calls took, at least the fair one when it had no calls waiting. */
  used_ms: number;
  /** In order of arrival. */
  readonly waiting: WaitingCalls;
}

interface QueuedRequest {
  readonly call: UpstreamCall;
  readonly signal: CancelSignal;
  readonly limit_ms: number;
}

const OVERLOADED = failure('overloaded', 'too many calls in flight');
const EXPIRED = failure('timeout', 'no free slot in time');

/**
 * Sends a bounded number of calls at a time and queues a bounded number of others, fairly by account:
 * a deficit round robin over calls in flight. A free slot goes to the waiting account with the fewest
 * calls in flight, and among equals to the one whose calls took the least time. N waiting accounts get
 * 1/N of the slots each; a single account gets all. When the queue is full, the account with the
 * longest queue loses its newest call to an account with a shorter one.
 */
export class CallQueue {
  readonly #upstream: TimedUpstream;
  readonly #limits: QueueLimits;
  readonly #accounts = new Map<string, AccountCalls>();
  /** The time that the calls of an account would have taken if all had had equal shares. */
  #fair_ms = 0;
  /** Slots in use. */
  #inFlight = 0;
  /** Slots of calls that have ended for the gateway, but not for the node. */
  #uncanceled = 0;
  #waiting = 0;
  /** Streams that have left their slots. */
  #streams = 0;

  constructor(upstream: TimedUpstream, limits: QueueLimits) {
    this.#upstream = upstream;
    this.#limits = limits;
  }

  /** Calls in flight and waiting, streams included. */
  get size(): number {
    return this.#inFlight + this.#waiting + this.#streams;
  }

  /** Whether any of these calls has not ended. */
  get isBusy(): boolean {
    return this.size > this.#uncanceled;
  }

  /**
   * Maximum number of calls of a batch that are sent together: at most half of the slots, so that a batch
   * never waits for all of them.
   */
  get maxBatch(): number {
    return Math.max(1, Math.min(MAX_BATCH_CALLS, Math.floor(this.#limits.in_flight / 2)));
  }

  /** Whether another call of this account would be rejected. */
  isFull(name = ''): boolean {
    const account = this.#accountOf(name);
    if (this.#waiting < this.#limits.queued || this.#hasSlots(account, 1)) return false;
    return this.#longestQueueBeside(account) === undefined;
  }

  /**
   * Waits for a slot, then makes the call within the remaining time: `attempt_ms`, or half of `limit_ms`. A node that
   * got less would often work in vain, since a call past its deadline is free of charge.
   */
  readonly call: TimedUpstream = (call, signal, limit_ms) => {
    if (signal.aborted || call.abandoned?.aborted === true) return Promise.resolve(ABORTED);
    const account = this.#accountOf(call.account ?? '');
    const request = { call, signal, limit_ms };
    if (account.waiting.size === 0) account.used_ms = Math.max(account.used_ms, this.#fair_ms);
    if (account.waiting.size === 0 && this.#mayStart(account, weightOf(call))) {
      const next = this.#nextAccount();
      if (next === undefined || isBefore(account, next)) return this.#start(account, request);
    }
    if (this.#waiting >= this.#limits.queued) {
      const longest = this.#longestQueueBeside(account);
      if (longest === undefined) return Promise.resolve(OVERLOADED);
      longest.waiting.last?.refuse(OVERLOADED);
    }
    return this.#wait(account, request);
  };

  #start(
    account: AccountCalls,
    { call, signal, limit_ms }: QueuedRequest,
  ): Promise<StreamingOutcome> {
    const weight = weightOf(call);
    if (!this.#hasSlots(account, weight)) return this.#startAlone(call.calls!, signal, limit_ms);
    account.inFlight += weight;
    this.#inFlight += weight;
    this.#accounts.set(account.name, account);
    const started_ms = this.#limits.monotonic_ms();
    const leave = (ended: number): void => this.#leave(account, ended, started_ms);
    return this.#upstream(call, signal, limit_ms).then((outcome) => {
      if (outcome.kind === 'stream' && this.#limits.keepsStreams) {
        const { stream } = outcome;
        void stream.ended.then(() => {
          if (stream.uncanceled === undefined) return leave(weight);
          return this.#leaveLater(leave, weight, [stream.uncanceled]);
        });
      } else if (outcome.kind === 'failure' && outcome.uncanceled !== undefined) {
        this.#leaveLater(leave, weight, outcome.uncanceled);
      } else leave(weight);
      if (outcome.kind === 'stream' && !this.#limits.keepsStreams) this.#countStream(outcome);
      return outcome;
    });
  }

  #countStream({ stream }: StreamOutcome): void {
    this.#streams += 1;
    void stream.ended.then(() => (this.#streams -= 1));
  }

  /** Starts the calls of a batch one by one, for an account that otherwise could not start any. */
  async #startAlone(
    calls: readonly BatchedCall[],
    signal: CancelSignal,
    limit_ms: number,
  ): Promise<StreamingOutcome> {
    const start = async (each: BatchedCall): Promise<void> => {
      each.outcome = await this.call(each.call, signal, limit_ms);
    };
    await Promise.all(calls.map(start));
    return UNANSWERED;
  }

  /** Frees the slots of calls on which the node still works once it is done. */
  #leaveLater(
    leave: (ended: number) => void,
    weight: number,
    uncanceled: readonly Promise<void>[],
  ): void {
    this.#uncanceled += uncanceled.length;
    const onEnded = (): void => {
      this.#uncanceled -= 1;
      leave(1);
    };
    for (const ended of uncanceled) void ended.then(onEnded);
    if (uncanceled.length < weight) leave(weight - uncanceled.length);
  }

  #leave(account: AccountCalls, ended: number, started_ms: number): void {
    const took_ms = ended * Math.max(MIN_CALL_ms, this.#limits.monotonic_ms() - started_ms);
    account.used_ms = Math.min(account.used_ms + took_ms, this.#fair_ms + MAX_BEHIND_ms);
    this.#fair_ms += took_ms / this.#accounts.size;
    account.inFlight -= ended;
    this.#inFlight -= ended;
    this.#removeIdle(account);
    this.#fillSlots();
  }

  #wait(account: AccountCalls, request: QueuedRequest): Promise<StreamingOutcome> {
    const { call, signal, limit_ms } = request;
    const ends_ms = this.#limits.monotonic_ms() + limit_ms;
    const wait_ms = limit_ms - Math.min(this.#limits.attempt_ms, limit_ms / 2);
    const weight = weightOf(call);
    const outcome = new Promise<StreamingOutcome>((resolve) => {
      const leaveQueue = (): void => {
        account.waiting.delete(waiting);
        this.#waiting -= weight;
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        call.abandoned?.removeEventListener('abort', onAbort);
      };
      const waiting: WaitingCall = {
        previous: undefined,
        next: undefined,
        weight,
        start: () => {
          leaveQueue();
          const left_ms = ends_ms - this.#limits.monotonic_ms();
          resolve(this.#start(account, { ...request, limit_ms: left_ms }));
        },
        refuse: (reason) => {
          leaveQueue();
          this.#removeIdle(account);
          resolve(reason);
        },
      };
      const onAbort = (): void => waiting.refuse(ABORTED);
      const timer = setTimeout(() => waiting.refuse(EXPIRED), wait_ms);
      account.waiting.add(waiting);
      this.#waiting += weight;
      this.#accounts.set(account.name, account);
      signal.addEventListener('abort', onAbort, { once: true });
      call.abandoned?.addEventListener('abort', onAbort, { once: true });
    });
    // A batch of another account may have been waiting alone, for more slots than are free.
    this.#fillSlots();
    return outcome;
  }

  #fillSlots(): void {
    while (this.#waiting > 0) {
      const next = this.#nextAccount();
      const first = next?.waiting.first;
      // If the account with the fewest calls in flight has no slot, no other gets one.
      if (next === undefined || first === undefined || !this.#mayStart(next, first.weight)) return;
      first.start();
    }
  }

  /** A batch waits for all of its slots only if its account has calls in flight and no other one waits. */
  #mayStart(account: AccountCalls, weight: number): boolean {
    if (this.#hasSlots(account, weight)) return true;
    const waitsAlone = this.#waiting === account.waiting.size;
    return (account.inFlight === 0 || !waitsAlone) && this.#hasSlots(account, 1);
  }

  #hasSlots({ name, inFlight }: AccountCalls, weight: number): boolean {
    const { in_flight: slots, reserved } = this.#limits;
    const others = weight - 1;
    const accounts = this.#accounts.size + (this.#accounts.has(name) ? 0 : 1);
    const [used, own] = [this.#inFlight + others, inFlight + others];
    return maySlotBeTaken({ slots, reserved, used, own, accounts });
  }

  #nextAccount(): AccountCalls | undefined {
    if (this.#waiting === 0) return undefined;
    let next: AccountCalls | undefined;
    for (const account of this.#accounts.values()) {
      if (account.waiting.size === 0) continue;
      if (next === undefined || isBefore(account, next)) next = account;
    }
    return next;
  }

  /** Returns the account with the longest queue, if this account's would be shorter with another call. */
  #longestQueueBeside({ waiting }: AccountCalls): AccountCalls | undefined {
    let longest: AccountCalls | undefined;
    let maxWaiting = waiting.size + 1;
    for (const account of this.#accounts.values()) {
      if (account.waiting.size <= maxWaiting) continue;
      longest = account;
      maxWaiting = account.waiting.size;
    }
    return longest;
  }

  #accountOf(name: string): AccountCalls {
    return (
      this.#accounts.get(name) ?? {
        name,
        inFlight: 0,
        used_ms: this.#fair_ms,
        waiting: new WaitingCalls(),
      }
    );
  }

  #removeIdle({ name, inFlight, waiting }: AccountCalls): void {
    if (inFlight === 0 && waiting.size === 0) this.#accounts.delete(name);
  }
}

/** Counts every call of a batch, so that batches get no larger share of a node than single calls. */
function weightOf({ calls }: UpstreamCall): number {
  return calls?.length ?? 1;
}

/** Whether an account has fewer calls in flight, or as many and calls that took less time. */
function isBefore(left: AccountCalls, right: AccountCalls): boolean {
  return left.inFlight === right.inFlight
    ? left.used_ms < right.used_ms
    : left.inFlight < right.inFlight;
}
