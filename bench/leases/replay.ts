import type { LeaseReply } from '../../src/store/leases.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { defaultCreditLimits } from '../../src/credits/limits.ts';
import { COSTS, termsOf, type Traffic } from './accounts.ts';
import type { Exchange } from './instance.ts';

export interface Replay {
  readonly exchanges: readonly Exchange[];
  readonly traffic: Traffic;
  /** Operations at a time. */
  readonly concurrency: number;
  readonly onReplies?: (replies: readonly LeaseReply[], exchange: Exchange) => void;
}

const PLAN = 'simulated';

/** Sends the batches of a simulation to a real store, as fast as it takes them; resolves to the time. */
export async function replay(address: string, options: Replay): Promise<{ elapsed_ms: number }> {
  const { exchanges, concurrency, onReplies } = options;
  let now_ms = exchanges[0]?.now_ms ?? 0;
  const store = await openStore(address, { now_ms: () => now_ms });
  try {
    await seed(store, options);
    const started_ms = performance.now();
    const remaining = exchanges.values();
    const send = async (): Promise<void> => {
      for (const exchange of remaining) {
        ({ now_ms } = exchange);
        const replies = await store.renewLeases(exchange.batch);
        onReplies?.(replies, exchange);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, send));
    return { elapsed_ms: performance.now() - started_ms };
  } finally {
    await store.close();
  }
}

/** Creates the accounts, and reports what each has spent when the simulation starts. */
async function seed(store: Store, { exchanges, traffic }: Replay): Promise<void> {
  const terms = { creditsPerDay: null, callsPerSecond: null };
  await store.addPlans([{ name: PLAN, ...terms, forwarding: false }]);
  const ids = exchanges.flatMap(({ batch }) => batch.requests.map(({ accountId }) => accountId));
  for (const id of new Set(ids)) {
    const { allowance, left } = termsOf(traffic, Number(id));
    await store.putAccount({ ...terms, id, plan: PLAN, creditsPerDay: allowance });
    const usage = [{ keyId: id, method: 'before', calls: 1, credits: allowance - left }];
    const request = { leaseId: `before-${id}`, accountId: id, report: 1, usage, returned: 0 };
    await store.renewLeases({
      requests: [{ ...request, needs: [], rate: null, callRate: null, isClosing: true }],
      ttl_ms: defaultCreditLimits.lease_ttl_ms,
      max_call_credits: Math.max(...COSTS),
    });
  }
}
