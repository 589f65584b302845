import { followAccounts } from '../auth/follow-accounts.ts';
import { hashKey } from '../auth/hash-key.ts';
import { KeyIndex } from '../auth/key-index.ts';
import type { Limits } from '../config/limits.ts';
import type { Config } from '../config/schema.ts';
import { LeaseLedger } from '../credits/lease-ledger.ts';
import type { RateLimit } from '../credits/rate-limit.ts';
import { StoreHealth } from '../credits/store-health.ts';
import { describeStore } from '../store/address.ts';
import type { Key, Plan } from '../store/records.ts';
import { openStore, type EndedOperation, type Store } from '../store/store.ts';
import type { Clock } from '../time/clock.ts';
import { every } from '../time/periodic.ts';
import type { Closers } from './lifecycle.ts';
import { StartError } from './start-error.ts';

/** Accounts, keys and balances: used in memory, kept in the store. */
export interface AccountStore {
  readonly index: KeyIndex;
  readonly ledger: LeaseLedger;
  /** Whether every call is refused because the store is unavailable. */
  isUnavailable(): boolean;
  /** Writes these plans and accounts to the store. */
  seed(plans: readonly Plan[], accounts: Config['accounts']): Promise<void>;
}

export interface AccountStoreOptions {
  readonly plans: readonly Plan[];
  readonly limits: Limits;
  /** Price of the most expensive call. */
  readonly maxCallCredits: number;
  readonly clock: Clock;
  readonly rate: RateLimit;
  readonly closers: Closers;
  /** Called when keys, accounts or plans have changed. */
  readonly onChange: () => void;
  readonly onStoreFailure: (error: unknown) => void;
  readonly onStoreOperation: (operation: EndedOperation) => void;
}

/**
 * Opens the store, seeds it, and keeps the key index and the leases up to date.
 * @throws StartError if the store cannot be opened
 */
export async function openAccountStore(
  { store: address, accounts }: Pick<Config, 'store' | 'accounts'>,
  options: AccountStoreOptions,
): Promise<AccountStore> {
  const { plans, limits, closers, onChange, onStoreFailure: onFailure } = options;
  const health = new StoreHealth();
  const store = await openStoreAt(address, (operation) => {
    health.onOperation(operation);
    options.onStoreOperation(operation);
  });
  closers.add(() => store.close());
  await seedStore(store, plans, accounts);
  const ledger = openLedger(store, health, options);
  const index = new KeyIndex();
  const interval_ms = limits.key_refresh_ms;
  const following = await followAccounts(store, index, { interval_ms, onChange, onFailure });
  closers.add(() => following.stop());
  return {
    index,
    ledger,
    isUnavailable: () => health.isOut(ledger.hasCredits),
    seed: (...terms) => seedStore(store, ...terms),
  };
}

async function openStoreAt(
  address: string,
  onOperationEnd: AccountStoreOptions['onStoreOperation'],
): Promise<Store> {
  try {
    return await openStore(address, { onOperationEnd });
  } catch (error) {
    const { message } = error as Error;
    throw new StartError(
      `cannot open the store ${describeStore(address)} (${message}); check its address and permissions`,
    );
  }
}

function openLedger(store: Store, health: StoreHealth, options: AccountStoreOptions): LeaseLedger {
  const { limits, maxCallCredits, clock, rate, closers, onStoreFailure } = options;
  const { lease_ttl_ms: ttl_ms, lease_tick_ms, store_wait_ms, waiting_calls } = limits;
  const ledger = new LeaseLedger({
    store,
    clock,
    limits: { ttl_ms, store_wait_ms, waiting_calls, dearest_credits: maxCallCredits },
    callRates: rate,
    onFailure: onStoreFailure,
    health,
  });
  const renewing = every(lease_tick_ms, () => ledger.renewDue(), onStoreFailure);
  closers.add(async () => {
    await renewing.stop();
    await ledger.close();
  });
  return ledger;
}

/** Number of characters of a key that are kept for display. */
const PREFIX_LENGTH = 4;

/**
 * Writes plans, accounts and keys to the store. Accounts and keys whose configuration has not changed
 * since it was last written keep what an administrator has changed.
 */
export async function seedStore(
  store: Store,
  plans: readonly Plan[],
  accounts: Config['accounts'],
): Promise<void> {
  for (const plan of plans) await store.putPlan(plan);
  for (const { id, plan, creditsPerDay = null, callsPerSecond = null, keys } of accounts) {
    await store.putAccount({ id, plan, creditsPerDay, callsPerSecond });
    for (const key of keys) await store.putKey(toRecord(id, key));
  }
}

function toRecord(
  accountId: string,
  { key, allow, expiresAt }: Config['accounts'][number]['keys'][number],
): Key {
  const hash = hashKey(key);
  const { methods, networks, origins, contracts } = allow;
  return {
    id: `key-${hash.slice(0, 12)}`,
    accountId,
    hash,
    prefix: key.slice(0, PREFIX_LENGTH),
    allow: {
      ...(methods && { methods }),
      ...(networks && { networks }),
      ...(origins && { origins }),
      ...(contracts && { contracts }),
    },
    expiresAt_ms: expiresAt === undefined ? null : Date.parse(expiresAt),
    revokedAt_ms: null,
  };
}
