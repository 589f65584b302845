import type { Store } from '../../src/store/store.ts';
import { eventually } from '../transport/eventually.ts';

/** Waits until no lease of the account `acme` is open, those of ended processes included. */
export async function leasesEnded(store: Store): Promise<void> {
  await eventually(async () => {
    await store.closeExpiredLeases(null);
    return (await store.readToday({ accountId: 'acme' })).leased;
  }).toBe(0);
}
