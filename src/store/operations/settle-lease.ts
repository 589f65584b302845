import type { LeaseReply, LeaseRequest } from '../leases.ts';
import { grant } from './grant.ts';
import { shareCalls } from './share-calls.ts';

/** A lease as it is stored. */
export interface LeaseRow {
  readonly id: string;
  readonly state: 'open' | 'returned' | 'forfeited';
  /** Of an open lease, what its holder has; of a forfeited one, what is still counted as lost. */
  readonly held: number;
  readonly reports: number;
  /** Credits a minute. */
  readonly rate: number;
  /** Calls a minute. */
  readonly callRate: number;
  readonly expiresAt_ms: number;
}

/** What has been spent and lost of an account's day. */
export interface Balance {
  readonly spent: number;
  readonly forfeited: number;
}

/** An account's day, with its open leases and the one asked about. */
export interface AccountDayState {
  readonly day: string;
  readonly isToday: boolean;
  readonly dayEndsIn_ms: number;
  readonly now_ms: number;
  readonly allowance: number;
  readonly balance: Balance;
  readonly leases: readonly LeaseRow[];
}

export interface LeaseTerms {
  readonly ttl_ms: number;
  readonly dearest_credits: number;
}

export interface Settlement {
  readonly reply: LeaseReply;
  readonly balance: Balance;
  /** To be stored; undefined when nothing about it changes. */
  readonly lease: LeaseRow | undefined;
  /** Whether the usage of the request is to be stored. */
  readonly isReported: boolean;
}

const FORGOTTEN = { held: 0, expiresAt_ms: 0 };

/** Does what the holder of a lease asks, on a day whose expired leases have been closed. */
export function settleLease(
  state: AccountDayState,
  request: LeaseRequest,
  terms: LeaseTerms,
): Settlement {
  const stored = state.leases.find(({ id }) => id === request.leaseId);
  const { balance } = state;
  if (stored === undefined && request.report > 1) {
    const reply = replyOf(state, request, { ...FORGOTTEN, state: 'unknown' });
    return { reply, balance, lease: undefined, isReported: false };
  }
  if (stored !== undefined && stored.reports >= request.report) {
    const reply = replyOf(state, request, { ...stored, isRepeated: true });
    return { reply, balance, lease: undefined, isReported: false };
  }
  return stored?.state === 'forfeited'
    ? reportLate(state, request, stored)
    : renew(state, request, { stored, terms });
}

/** What was lost and turns out to have been spent is spent; the rest stays lost. */
function reportLate(state: AccountDayState, request: LeaseRequest, stored: LeaseRow): Settlement {
  const credits = creditsOf(request);
  const balance = {
    spent: state.balance.spent + credits,
    forfeited: state.balance.forfeited - Math.min(credits, stored.held),
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
  const rate = Math.max(
    1,
    rateOf(
      request.rate,
      others.map((other) => other.rate),
    ),
  );
  const granted = grant({
    allowance: state.allowance,
    ...balance,
    heldByOthers: sum(others.map(({ held }) => held)),
    heldBefore,
    needs: request.needs,
    weight: rate / (rate + sum(others.map((other) => other.rate))),
    isNew: request.rate === null,
    dearest_credits: terms.dearest_credits,
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
  lease: {
    readonly state: LeaseReply['state'];
    readonly held: number;
    readonly expiresAt_ms: number;
    readonly callRate?: number;
    readonly share?: number;
    readonly isRepeated?: boolean;
  },
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
    remaining: Math.max(0, allowance - balance.spent - balance.forfeited - leased),
  };
}

function othersOf({ leases }: AccountDayState, { leaseId }: LeaseRequest): readonly LeaseRow[] {
  return leases.filter(({ id, state }) => state === 'open' && id !== leaseId);
}

/** A holder that comes new counts as much as the others do on average. */
function rateOf(rate: number | null, others: readonly number[]): number {
  return Math.round(rate ?? (others.length === 0 ? 0 : sum(others) / others.length));
}

function creditsOf({ usage }: LeaseRequest): number {
  return sum(usage.map(({ credits }) => credits));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
