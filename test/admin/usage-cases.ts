import { expect, it } from 'vitest';
import { reportUsage } from '../../src/admin/usage.ts';
import type { LeaseRequest } from '../../src/store/leases.ts';
import { account, freePlan, openTestStore, type Engine } from '../store/support.ts';

const noon_ms = Date.parse('2026-11-21T12:00:00Z');
const always = { accountId: undefined, from: undefined, to: undefined };

/** Tests of usage, for each engine. */
export function testUsage(engine: Engine): void {
  it('is reported by day, account, key and method, with lost and leased credits', async () => {
    const clock = { now_ms: noon_ms };
    const store = await openTestStore(await engine.address(), { now_ms: () => clock.now_ms });
    await store.putPlan({ ...freePlan, creditsPerDay: 100_000 });
    for (const id of ['acme', 'other']) await store.putAccount({ ...account, id });
    const report = async (leaseId: string, request: Partial<LeaseRequest>): Promise<void> => {
      const blank = {
        report: 1,
        usage: [],
        returned: 0,
        needs: [],
        rate: 1,
        callRate: 60,
        isClosing: false,
      };
      const requests = [{ leaseId, accountId: 'acme', ...blank, ...request }];
      await store.renewLeases({ requests, ttl_ms: 10_000, max_call_credits: 100 });
    };
    const used = (keyId: string, credits: number) => ({
      keyId,
      method: 'eth_a',
      calls: 1,
      credits,
    });
    await report('a', {});
    await report('a', { report: 2, usage: [used('key-1', 80), used('key-2', 150)] });
    await report('b', { accountId: 'other' });
    clock.now_ms += 10_000;
    await report('c', {});
    expect(await reportUsage(store, { ...always, accountId: 'acme' })).toEqual({
      days: [
        {
          accountId: 'acme',
          day: '2026-11-21',
          spent: 230,
          lost: 875,
          leased: 875,
          creditsPerDay: 100_000,
          remaining: 98_895,
        },
      ],
      rows: ['key-1', 'key-2'].map((keyId, index) => ({
        accountId: 'acme',
        day: '2026-11-21',
        ...used(keyId, [80, 150][index]!),
      })),
    });
    const all = await reportUsage(store, always);
    expect(all.days).toMatchObject([{ accountId: 'acme' }, { lost: 875, leased: 0 }]);

    clock.now_ms += 86_400_000;
    expect(await reportUsage(store, always)).toEqual({ days: [], rows: [] });
    const { days } = await reportUsage(store, { ...always, from: '2026-11-01', to: '2026-11-30' });
    expect(days[0]).toMatchObject({ spent: 230, lost: 1_750, leased: 0, remaining: null });
    await expect(reportUsage(store, { ...always, accountId: 'unknown' })).rejects.toThrow(
      'account "unknown" not found',
    );
    const backwards = { ...always, from: '2026-11-02', to: '2026-11-01' };
    await expect(reportUsage(store, backwards)).rejects.toThrow(
      '--from 2026-11-02 is later than --to 2026-11-01',
    );
  });
}
