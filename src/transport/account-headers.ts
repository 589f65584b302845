/** What is left of a limit. */
export interface Left {
  readonly limit: number;
  readonly remaining: number;
}

/** An account's balance and rate as of now. */
export interface AccountStanding {
  /** Credits of the UTC day; undefined while not known. */
  readonly credits: (Left & { readonly resetsIn_s: number }) | undefined;
  /** Calls a second. */
  readonly calls: Left;
}

const DAY_S = 86_400;

/**
 * Cost of a call, and the account's limits as in draft-ietf-httpapi-ratelimit-headers: the policies
 * `credits` (a day) and `calls` (a second).
 */
export function accountHeaders(
  credits_charged: number,
  { credits, calls }: AccountStanding,
): string[] {
  let policy = `"calls";q=${calls.limit};w=1`;
  let left = `"calls";r=${calls.remaining};t=1`;
  if (credits !== undefined) {
    policy = `"credits";q=${credits.limit};w=${DAY_S}, ${policy}`;
    left = `"credits";r=${credits.remaining};t=${credits.resetsIn_s}, ${left}`;
  }
  return ['x-credits-cost', String(credits_charged), 'ratelimit-policy', policy, 'ratelimit', left];
}
