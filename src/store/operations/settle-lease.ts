import type { LeaseBatch, LeaseReply, LeaseRequest } from '../leases.ts';

type LeaseTerms = Omit<LeaseBatch, 'requests'>;

/** A lease as it is stored. */
export interface LeaseRow {
  readonly id: string;
  readonly state: 'open' | 'returned' | 'expired';
  /** Credits of the holder if open; credits still counted as lost if expired. */
  readonly held: number;
  /** Number of the last report applied. */
  readonly reports: number;
  /** Credits per minute. */
  readonly rate: number;
  /** Calls per minute. */
  readonly callRate: number;
  readonly expiresAt_ms: number;
}

/** Credits spent and lost on an account's day. */
export interface Balance {
  readonly spent: number;
  readonly lost: number;
}

/** An account's day, with its open leases and the requested one. */
interface AccountDayState {
  readonly day: string;
  readonly isToday: boolean;
  readonly dayEndsIn_ms: number;
  readonly now_ms: number;
  readonly allowance: number;
  readonly balance: Balance;
  readonly leases: readonly LeaseRow[];
}

interface Settlement {
  readonly reply: LeaseReply;
  readonly balance: Balance;
  /** The lease to store; undefined if it did not change. */
  readonly lease: LeaseRow | undefined;
  /** Whether to store the usage of the request. */
  readonly isReported: boolean;
}

/** Fraction of an account's calls that is divided equally among its holders. */
const EQUAL_PART = 1 / 4;

/** Applies a lease request to a day whose expired leases have been closed. */
export function settleLease(
  state: AccountDayState,
  request: LeaseRequest,
  terms: LeaseTerms,
): Settlement {
  const stored = state.leases.find(({ id }) => id === request.leaseId);
  const unchanged = { balance: state.balance, lease: undefined, isReported: false };
  if (stored === undefined && request.report > 1) {
    const unknown = { state: 'unknown' as const, held: 0, expiresAt_ms: 0 };
    return { ...unchanged, reply: replyOf(state, request, unknown) };
  }
  if (stored !== undefined && stored.reports >= request.report) {
    return { ...unchanged, reply: replyOf(state, request, { ...stored, isRepeated: true }) };
  }
  return stored?.state === 'expired'
    ? reportLate(state, request, stored)
    : renew(state, request, { stored, terms });
}

/** Moves the credits reported late from lost to spent. */
function reportLate(state: AccountDayState, request: LeaseRequest, stored: LeaseRow): Settlement {
  const credits = creditsOf(request);
  const balance = {
    spent: state.balance.spent + credits,
    lost: state.balance.lost - Math.min(credits, stored.held),
  };
  const held = Math.max(0, stored.held - credits);
  const lease = { ...stored, held, reports: request.report };
  const reply = replyOf({ ...state, balance }, request, lease);
  return { reply, balance, lease, isReported: true };
}

function renew(
  state: AccountDayState,
  request: LeaseRequest,
  { stored, terms }: { stored: LeaseRow | undefined; terms: LeaseTerms },
): Settlement {
  const credits = creditsOf(request);
  const balance = { ...state.balance, spent: state.balance.spent + credits };
  const heldBefore = Math.max(0, (stored?.held ?? 0) - credits - request.returned);
  const others = othersOf(state, request);
  const rates = others.map((other) => other.rate);
  const rate = Math.max(1, rateOf(request.rate, rates));
  const granted = grant({
    allowance: state.allowance,
    ...balance,
    heldByOthers: sum(others.map(({ held }) => held)),
    heldBefore,
    needs: request.needs,
    weight: rate / (rate + sum(rates)),
    isNew: request.rate === null,
    max_call_credits: terms.max_call_credits,
  });
  const isEnding = request.isClosing || !state.isToday;
  const held = heldBefore + (isEnding ? 0 : granted.granted);
  const lease: LeaseRow = {
    id: request.leaseId,
    state: isEnding && held === 0 ? 'returned' : 'open',
    held,
    reports: request.report,
    rate,
    callRate: rateOf(
      request.callRate,
      others.map((other) => other.callRate),
    ),
    expiresAt_ms: state.now_ms + terms.ttl_ms,
  };
  const reply = replyOf({ ...state, balance }, request, { ...lease, share: granted.share });
  return { reply, balance, lease, isReported: true };
}

function replyOf(
  state: AccountDayState,
  request: LeaseRequest,
  lease: Pick<LeaseReply, 'state' | 'held'> &
    Pick<LeaseRow, 'expiresAt_ms'> &
    Partial<Pick<LeaseReply, 'share' | 'isRepeated'> & Pick<LeaseRow, 'callRate'>>,
): LeaseReply {
  const { day, isToday, dayEndsIn_ms, allowance, balance, now_ms } = state;
  const isHeld = lease.state === 'open';
  const others = othersOf(state, request);
  const leased = sum(others.map(({ held }) => held)) + (isHeld ? lease.held : 0);
  return {
    leaseId: request.leaseId,
    state: lease.state,
    isRepeated: lease.isRepeated ?? false,
    isToday,
    day,
    dayEndsIn_ms,
    held: isHeld ? lease.held : 0,
    share: lease.share ?? lease.held,
    callShare: shareCalls(
      lease.callRate ?? 0,
      others.map((other) => other.callRate),
    ),
    expiresIn_ms: isHeld ? Math.max(0, lease.expiresAt_ms - now_ms) : 0,
    allowance,
    ...balance,
    remaining: Math.max(0, allowance - balance.spent - balance.lost - leased),
  };
}

/**
 * Returns a holder's share of the calls per second of its account; the shares of all holders add up
 * to 1. Most of it is proportional to the measured calls, so that an idle holder takes little from a
 * busy one; the remainder is equal, so that every holder can start.
 */
function shareCalls(own: number, others: readonly number[]): number {
  const all = own + sum(others);
  const equal = 1 / (others.length + 1);
  return all === 0 ? equal : EQUAL_PART * equal + (1 - EQUAL_PART) * (own / all);
}

function othersOf({ leases }: AccountDayState, { leaseId }: LeaseRequest): readonly LeaseRow[] {
  return leases.filter(({ id, state }) => state === 'open' && id !== leaseId);
}

/** The rate of a new holder is unknown and counts as the average of the others. */
function rateOf(rate: number | null, others: readonly number[]): number {
  return Math.round(rate ?? (others.length === 0 ? 0 : sum(others) / others.length));
}

function creditsOf({ usage }: LeaseRequest): number {
  return sum(usage.map(({ credits }) => credits));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** An account's day and the request of one lease holder; all in credits except `weight`. */
export interface GrantRequest {
  readonly allowance: number;
  readonly spent: number;
  readonly lost: number;
  readonly heldByOthers: number;
  /** Held by this lease before the grant. */
  readonly heldBefore: number;
  /** Costs of the waiting calls, in order. */
  readonly needs: readonly number[];
  /** The holder's share of the usage of all holders, above 0 and at most 1. */
  readonly weight: number;
  /** Whether the holder is new, so that its usage is still unknown. */
  readonly isNew: boolean;
  readonly max_call_credits: number;
}

interface Grant {
  readonly granted: number;
  readonly share: number;
  /** Credits left to grant afterwards. */
  readonly remaining: number;
}

/** Upper bound of the sum of an account's leases, as a fraction of its allowance. */
const LEASED_PART = 1 / 100;
/** Fraction of that bound reserved for new holders. */
const NEWCOMERS_PART = 1 / 8;
/** Fraction of the part not leased yet that one new holder gets at most. */
const NEWCOMER_PART = 1 / 2;

/**
 * Grants the costs of waiting calls as far as the balance goes, plus a slice for later calls. Never
 * grants more than is left. Slices keep the sum of all leases within max(1% of the allowance, the
 * most expensive call); once less than that is left, calls are granted one by one.
 */
export function grant(request: GrantRequest): Grant {
  const { allowance, heldByOthers, heldBefore, needs, max_call_credits } = request;
  const taken = request.spent + request.lost + heldByOthers + heldBefore;
  const free = Math.max(0, allowance - taken);
  let needed = 0;
  for (const cost of needs) {
    if (cost <= free - needed) needed += cost;
  }
  const left = free - needed;
  const bound = Math.max(Math.floor(allowance * LEASED_PART), max_call_credits);
  const shared = bound - Math.floor(bound * NEWCOMERS_PART);
  const share = Math.floor(shared * request.weight);
  const unleased = Math.max(0, bound - heldByOthers - heldBefore - needed);
  const available = request.isNew ? Math.floor(unleased * NEWCOMER_PART) : unleased;
  const wanted = Math.max(0, share - heldBefore - needed);
  const slice = left < bound ? 0 : Math.min(wanted, available);
  return { granted: needed + slice, share, remaining: left - slice };
}
