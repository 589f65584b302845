import { followAccounts, KeyIndex } from '../auth/key-index.ts';
import { hashKey } from '../auth/hash-key.ts';
import type { Limits } from '../config/limits.ts';
import type { Config } from '../config/schema.ts';
import { LeaseLedger } from '../credits/lease-ledger.ts';
import type { RateLimit } from '../credits/rate-limit.ts';
import { StoreHealth } from '../credits/store-health.ts';
import type { Protocol } from '../gateway/protocol.ts';
import type { Metrics } from '../ops/metrics.ts';
import { describeStore } from '../store/address.ts';
import type { Key, Plan } from '../store/records.ts';
import { openStore, type EndedOperation, type Store } from '../store/store.ts';
import type { Clock } from '../time/clock.ts';
import { every } from '../time/periodic.ts';
import type { Closers } from './lifecycle.ts';
import { mergePlans } from './load-config.ts';
import type { Logger } from './logger.ts';
import { StartError } from './start-error.ts';

/** Accounts, keys and balances: used in memory, kept in the store. */
export interface AccountStore {
  readonly index: KeyIndex;
  readonly ledger: LeaseLedger;
  /** Whether every call is rejected because the store is unavailable. */
  isUnavailable(): boolean;
  /** Writes the plans and accounts of a configuration to the store. */
  seed(config: Config): Promise<void>;
}

interface AccountStoreOptions {
  readonly protocol: Pick<Protocol, 'plans' | 'methods'>;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly rate: RateLimit;
  readonly metrics: Pick<Metrics, 'onStoreOperation'>;
  readonly logger: Logger;
  readonly closers: Closers;
  /** Called when keys, accounts or plans have changed. */
  readonly onChange: () => void;
}

/**
 * Opens the store, seeds it, and keeps the key index and the leases up to date.
 * @throws StartError if the store cannot be opened
 */
export async function openAccountStore(
  config: Config,
  options: AccountStoreOptions,
): Promise<AccountStore> {
  const { protocol, limits, metrics, logger, closers, onChange } = options;
  let lastFailure: string | undefined;
  // A failure that recurs with every access to the store is logged once.
  const onFailure = (error: unknown): void => {
    const failure = String(error);
    if (failure !== lastFailure) logger.warn({ err: error }, 'store operation failed');
    lastFailure = failure;
  };
  const health = new StoreHealth({
    store_wait_ms: limits.store_wait_ms,
    monotonic_ms: () => options.clock.monotonic_ms(),
  });
  const store = await openStoreAt(config.store, (operation) => {
    health.onOperation(operation);
    if (!operation.hasFailed) lastFailure = undefined;
    metrics.onStoreOperation(operation);
  });
  closers.add(() => store.close());
  const seed = ({ plans, accounts }: Config): Promise<void> =>
    seedStore(store, mergePlans(protocol.plans, plans), accounts);
  await seed(config);
  const ledger = openLedger(store, { health, onFailure }, options);
  const index = new KeyIndex();
  const interval_ms = limits.key_refresh_ms;
  const following = await followAccounts(store, index, { interval_ms, onChange, onFailure });
  closers.add(() => following.stop());
  return { index, ledger, isUnavailable: () => health.isDown(ledger.hasCredits), seed };
}

async function openStoreAt(
  address: string,
  onOperationEnd: (operation: EndedOperation) => void,
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

function openLedger(
  store: Store,
  watching: { readonly health: StoreHealth; readonly onFailure: (error: unknown) => void },
  { protocol, limits, clock, rate, closers }: AccountStoreOptions,
): LeaseLedger {
  const { lease_ttl_ms: ttl_ms, lease_tick_ms, store_wait_ms, waiting_calls } = limits;
  const prices = Object.values(protocol.methods).map(({ credits }) => credits);
  const ledger = new LeaseLedger({
    store,
    clock,
    limits: { ttl_ms, store_wait_ms, waiting_calls, max_call_credits: Math.max(1, ...prices) },
    callRates: rate,
    ...watching,
  });
  const renewing = every(lease_tick_ms, () => ledger.renewDue(), watching.onFailure);
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
