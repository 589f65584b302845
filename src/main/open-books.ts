import { followAccounts } from '../auth/follow-accounts.ts';
import { KeyIndex } from '../auth/key-index.ts';
import type { Limits } from '../config/limits.ts';
import type { Config } from '../config/schema.ts';
import { LeaseLedger } from '../credits/lease-ledger.ts';
import { StoreHealth } from '../credits/store-health.ts';
import type { RateLimit } from '../credits/rate-limit.ts';
import { describeStore } from '../store/address.ts';
import type { Plan } from '../store/records.ts';
import { openStore, type EndedOperation, type Store } from '../store/store.ts';
import type { Clock } from '../time/clock.ts';
import { every } from '../time/periodic.ts';
import type { Closers } from './closers.ts';
import { seedStore } from './seed.ts';
import { StartError } from './start-error.ts';

/** Who may call, and what they have used: in memory, and kept in the store. */
export interface Books {
  readonly index: KeyIndex;
  readonly ledger: LeaseLedger;
  /** Whether every call is refused for want of the store. */
  isStoreOut(): boolean;
  /** Brings the store to these plans and accounts. */
  seed(plans: readonly Plan[], accounts: Config['accounts']): Promise<void>;
}

export interface BooksOptions {
  readonly plans: readonly Plan[];
  readonly limits: Limits;
  /** The most a call can cost. */
  readonly dearest_credits: number;
  readonly clock: Clock;
  /** Calls a second, shared out among gateways as credits are. */
  readonly rate: RateLimit;
  readonly closers: Closers;
  /** Keys, accounts or plans have changed. */
  readonly onChange: () => void;
  readonly onStoreFailure: (error: unknown) => void;
  readonly onStoreOperation: (operation: EndedOperation) => void;
}

/** Opens the store, brings it up to date, and begins to follow and to feed it. */
export async function openBooks(
  { store: address, accounts }: Pick<Config, 'store' | 'accounts'>,
  options: BooksOptions,
): Promise<Books> {
  const { plans, limits, dearest_credits, clock, rate, closers, onChange, onStoreFailure } =
    options;
  const health = new StoreHealth();
  const store = await openStoreAt(address, (operation) => {
    health.onOperation(operation);
    options.onStoreOperation(operation);
  });
  closers.add(() => store.close());
  await seedStore(store, plans, accounts);
  const { lease_ttl_ms: ttl_ms, lease_tick_ms, store_wait_ms, waiting_calls } = limits;
  const ledger = new LeaseLedger({
    store,
    clock,
    limits: { ttl_ms, store_wait_ms, waiting_calls, dearest_credits },
    callRates: rate,
    onFailure: onStoreFailure,
    health,
  });
  const renewing = every(lease_tick_ms, () => ledger.renewDue(), onStoreFailure);
  closers.add(async () => {
    await renewing.stop();
    await ledger.close();
  });
  const index = new KeyIndex();
  const interval_ms = limits.key_refresh_ms;
  const following = await followAccounts(store, index, {
    interval_ms,
    onChange,
    onFailure: onStoreFailure,
  });
  closers.add(() => following.stop());
  return {
    index,
    ledger,
    isStoreOut: () => health.isOut(ledger.hasCredits),
    seed: (...terms) => seedStore(store, ...terms),
  };
}

async function openStoreAt(
  address: string,
  onOperationEnd: BooksOptions['onStoreOperation'],
): Promise<Store> {
  try {
    return await openStore(address, { onOperationEnd });
  } catch (error) {
    const { message } = error as Error;
    throw new StartError(
      `the store ${describeStore(address)} cannot be opened (${message}); check address and rights`,
    );
  }
}
