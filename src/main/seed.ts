import { hashKey } from '../auth/hash-key.ts';
import type { Config } from '../config/schema.ts';
import type { Key, Plan } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** Letters of a key kept for display. */
const PREFIX_LETTERS = 4;

/**
 * Brings the store to what the document says of plans, and to what the configuration says otherwise
 * than the last time of accounts and keys: what an administrator made of them stays.
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
    prefix: key.slice(0, PREFIX_LETTERS),
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
