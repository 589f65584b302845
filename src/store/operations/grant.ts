/** An account's day, and what one holder asks of it; all in credits but `weight`. */
export interface GrantRequest {
  readonly allowance: number;
  readonly spent: number;
  readonly forfeited: number;
  /** Held by the leases of others, and by this one before the grant. */
  readonly heldByOthers: number;
  readonly heldBefore: number;
  /** Costs of calls that wait, in their order. */
  readonly needs: readonly number[];
  /** The holder's part of what all holders use, above 0 and up to 1. */
  readonly weight: number;
  /** Whether it comes new: nobody knows yet what it uses, nor who else comes. */
  readonly isNew: boolean;
  readonly dearest_credits: number;
}

export interface Grant {
  readonly granted: number;
  readonly share: number;
  /** What can still be granted after this. */
  readonly remaining: number;
}

/** The sum of an account's leases, as a part of its allowance. */
const LEASED_PART = 1 / 100;
/** Part of that sum kept free for holders that come new. */
const NEWCOMERS_PART = 1 / 8;
/** Part of what is free that one of them takes. */
const NEWCOMER_PART = 1 / 2;

/**
 * Grants calls that wait what they cost, as far as the balance goes, and beyond that a slice, so that
 * later calls need not ask. Never more than is left. Slices keep the sum of all leases within
 * max(1 % of the allowance, the dearest call); once less than that is left, there are none, and calls
 * are granted one by one.
 */
export function grant(request: GrantRequest): Grant {
  const { allowance, heldByOthers, heldBefore, needs, dearest_credits } = request;
  const taken = request.spent + request.forfeited + heldByOthers + heldBefore;
  const free = Math.max(0, allowance - taken);
  let needed = 0;
  for (const cost of needs) {
    if (cost <= free - needed) needed += cost;
  }
  const rest = free - needed;
  const bound = Math.max(Math.floor(allowance * LEASED_PART), dearest_credits);
  const shared = bound - Math.floor(bound * NEWCOMERS_PART);
  const share = Math.floor(shared * request.weight);
  const unleased = Math.max(0, bound - heldByOthers - heldBefore - needed);
  const room = request.isNew ? Math.floor(unleased * NEWCOMER_PART) : unleased;
  const wanted = Math.max(0, share - heldBefore - needed);
  const slice = rest < bound ? 0 : Math.min(wanted, room);
  return { granted: needed + slice, share, remaining: rest - slice };
}
