/** Limits of accounts and credits; units are in the names. */
export const defaultCreditLimits = Object.freeze({
  /** Changes to keys and accounts apply within a second, including the time to read them. */
  key_refresh_ms: 300,
  store_wait_ms: 2_000,
  lease_ttl_ms: 15_000,
  /** A thirtieth of the life of a lease, even if that is configured (src/config/limits.ts). */
  lease_tick_ms: 500,
  /** Ten seconds of calls of the largest plan; bounds memory while the store does not reply. */
  waiting_calls: 10_000,
});
