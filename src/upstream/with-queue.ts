import { failure, type Failure } from './failure.ts';
import type { StreamingOutcome, UpstreamCall } from './upstream.ts';
import type { TimedUpstream } from './with-timeout.ts';

export interface QueueLimits {
  /** Calls let through at a time; one account alone may have all of them. */
  readonly in_flight: number;
  /** Calls let through beyond these, for accounts below their share. */
  readonly reserved: number;
  /** Calls that wait, of all accounts together. */
  readonly queued: number;
  readonly monotonic_ms: () => number;
}

/** The part of the slots that is added to them for accounts below their share. */
const RESERVED_PART = 1 / 8;

/** The slots kept for accounts below their share, beside `slots` that any account may fill. */
export function reservedBeside(slots: number): number {
  return Math.ceil(slots * RESERVED_PART);
}

/** The calls of one account; it has an entry for as long as it has calls. */
interface AccountCalls {
  readonly name: string;
  inFlight: number;
  /** In the order of their arrival. */
  readonly waiting: Set<WaitingCall>;
}

interface WaitingCall {
  readonly start: () => void;
  readonly refuse: (why: Failure) => void;
}

const OVERLOADED = failure('overloaded', 'too many calls in flight');
const ABORTED = failure('aborted', 'the caller gave up');
const EXPIRED = failure('timeout', 'no slot became free within the deadline of the call');

/**
 * Lets a bounded number of calls through at a time and queues a bounded number of others, fairly by
 * account: a deficit round robin over calls in flight. A free slot goes to the waiting account with
 * the fewest calls in flight, among equals to the one served longest ago, so that with N accounts
 * waiting each gets 1/N of the slots, and one account alone all of them. When the queue is full, the
 * account with the longest queue loses its newest call to an account with a shorter one. A stream
 * counts until it has ended.
 */
export class CallQueue {
  readonly #upstream: TimedUpstream;
  readonly #limits: QueueLimits;
  /** In the order in which they were served, longest ago first. */
  readonly #accounts = new Map<string, AccountCalls>();
  #inFlight = 0;
  #waiting = 0;

  constructor(upstream: TimedUpstream, limits: QueueLimits) {
    this.#upstream = upstream;
    this.#limits = limits;
  }

  /** Calls let through and not ended, and calls waiting. */
  get size(): number {
    return this.#inFlight + this.#waiting;
  }

  /** Whether another call of this account would be refused. */
  isFull(name = ''): boolean {
    const account = this.#accounts.get(name) ?? newAccount(name);
    if (this.#waiting < this.#limits.queued || this.#hasSlot(account)) return false;
    return this.#longestBeyond(account) === undefined;
  }

  /** Waits for a slot for at most `left_ms`; what is left of that is passed on with the call. */
  readonly call: TimedUpstream = (call, signal, left_ms) => {
    if (signal.aborted || call.abandoned?.aborted === true) return Promise.resolve(ABORTED);
    const name = call.account ?? '';
    const account = this.#accounts.get(name) ?? newAccount(name);
    if (account.waiting.size === 0 && this.#hasSlot(account)) {
      return this.#start(account, call, signal, left_ms);
    }
    if (this.#waiting >= this.#limits.queued) {
      const longest = this.#longestBeyond(account);
      if (longest === undefined) return Promise.resolve(OVERLOADED);
      newestOf(longest)?.refuse(OVERLOADED);
    }
    return this.#wait(account, call, signal, left_ms);
  };

  #start(
    account: AccountCalls,
    call: UpstreamCall,
    signal: AbortSignal,
    left_ms: number,
  ): Promise<StreamingOutcome> {
    account.inFlight += 1;
    this.#inFlight += 1;
    this.#moveLast(account);
    const leave = (): void => {
      account.inFlight -= 1;
      this.#inFlight -= 1;
      this.#moveLast(account);
      this.#forgetIdle(account);
      this.#fillSlots();
    };
    return this.#upstream(call, signal, left_ms).then((outcome) => {
      if (outcome.kind === 'stream') void outcome.stream.ended.then(leave);
      else leave();
      return outcome;
    });
  }

  #wait(
    account: AccountCalls,
    call: UpstreamCall,
    signal: AbortSignal,
    left_ms: number,
  ): Promise<StreamingOutcome> {
    const { monotonic_ms } = this.#limits;
    const ends_ms = monotonic_ms() + left_ms;
    const { abandoned } = call;
    return new Promise((resolve) => {
      const leaveQueue = (): void => {
        account.waiting.delete(waiting);
        this.#waiting -= 1;
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        abandoned?.removeEventListener('abort', onAbort);
      };
      const refuse = (why: Failure): void => {
        leaveQueue();
        this.#forgetIdle(account);
        resolve(why);
      };
      const onAbort = (): void => refuse(ABORTED);
      const start = (): void => {
        leaveQueue();
        resolve(this.#start(account, call, signal, Math.max(1, ends_ms - monotonic_ms())));
      };
      const waiting = { start, refuse };
      const timer = setTimeout(() => refuse(EXPIRED), left_ms);
      account.waiting.add(waiting);
      this.#waiting += 1;
      this.#accounts.set(account.name, account);
      signal.addEventListener('abort', onAbort, { once: true });
      abandoned?.addEventListener('abort', onAbort, { once: true });
    });
  }

  #fillSlots(): void {
    while (this.#waiting > 0) {
      const next = this.#neediest();
      // No other account has a slot when the one with the fewest calls in flight has none.
      if (next === undefined || !this.#hasSlot(next)) return;
      const [oldest] = next.waiting;
      oldest?.start();
    }
  }

  #hasSlot(account: AccountCalls): boolean {
    const { in_flight, reserved } = this.#limits;
    if (this.#inFlight < in_flight) return true;
    if (this.#inFlight >= in_flight + reserved) return false;
    const isKnown = this.#accounts.has(account.name);
    return account.inFlight < in_flight / (this.#accounts.size + (isKnown ? 0 : 1));
  }

  #neediest(): AccountCalls | undefined {
    let best: AccountCalls | undefined;
    for (const account of this.#accounts.values()) {
      if (account.waiting.size === 0) continue;
      if (best === undefined || account.inFlight < best.inFlight) best = account;
    }
    return best;
  }

  /** The account with the longest queue, if that stays no shorter than this one's with a call more. */
  #longestBeyond({ waiting }: AccountCalls): AccountCalls | undefined {
    let longest: AccountCalls | undefined;
    let most = waiting.size + 1;
    for (const account of this.#accounts.values()) {
      if (account.waiting.size <= most) continue;
      longest = account;
      most = account.waiting.size;
    }
    return longest;
  }

  #moveLast(account: AccountCalls): void {
    this.#accounts.delete(account.name);
    this.#accounts.set(account.name, account);
  }

  #forgetIdle({ name, inFlight, waiting }: AccountCalls): void {
    if (inFlight === 0 && waiting.size === 0) this.#accounts.delete(name);
  }
}

function newAccount(name: string): AccountCalls {
  return { name, inFlight: 0, waiting: new Set() };
}

function newestOf({ waiting }: AccountCalls): WaitingCall | undefined {
  return [...waiting].at(-1);
}
