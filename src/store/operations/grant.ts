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

export interface Grant {
  readonly granted: number;
  readonly share: number;
  /** Credits left to grant afterwards. */
  readonly remaining: number;
}

/** Sum of an account's leases, as a fraction of its allowance. */
const LEASED_PART = 1 / 100;
/** Fraction of that sum reserved for new holders. */
const NEWCOMERS_PART = 1 / 8;
/** Fraction of the unleased sum that one new holder gets. */
const NEWCOMER_PART = 1 / 2;

/**
 * Grants the costs of waiting calls as far as the balance goes, plus a slice for later calls. Never
 * grants more than is left. Slices keep the sum of all leases within max(1 % of the allowance, the
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
