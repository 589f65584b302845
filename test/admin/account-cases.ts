import { expect, it } from 'vitest';
import { createAccount, listAccounts, setPlan, setSuspended } from '../../src/admin/accounts.ts';
import { freePlan, openTestStore, type Engine } from '../store/support.ts';
import type { Store } from '../../src/store/store.ts';

const customPlan = { name: 'custom', creditsPerDay: null, callsPerSecond: null, forwarding: true };
const own = { creditsPerDay: null, callsPerSecond: null };
const noon_ms = Date.parse('2026-11-21T12:00:00Z');

async function open(engine: Engine): Promise<Store> {
  const store = await openTestStore(await engine.address(), { now_ms: () => noon_ms });
  await store.addPlans([freePlan, customPlan]);
  return store;
}

/** Tests of accounts, for each engine. */
export function testAccounts(engine: Engine): void {
  it('are created with the quotas of their plan or their own', async () => {
    const store = await open(engine);
    expect(await createAccount(store, { id: 'acme', plan: 'free', ...own })).toEqual({
      id: 'acme',
      plan: 'free',
      creditsPerDay: 1_000,
      callsPerSecond: 25,
      forwarding: false,
      suspendedAt_ms: null,
      keys: 0,
    });
    const numbers = { creditsPerDay: 7, callsPerSecond: 3 };
    const terms = { id: 'big', plan: 'custom', ...numbers };
    expect(await createAccount(store, terms)).toMatchObject({ ...numbers, forwarding: true });
    expect((await listAccounts(store)).map(({ id }) => id)).toEqual(['acme', 'big']);
  });

  it('are rejected with a used id, an unknown plan, missing quotas or an invalid id', async () => {
    const store = await open(engine);
    await createAccount(store, { id: 'acme', plan: 'free', ...own });
    const attempts = [
      [{ id: 'acme', plan: 'free' }, 'account "acme" already exists'],
      [{ id: 'big', plan: 'gold' }, 'unknown plan "gold", expected one of custom, free'],
      [{ id: 'big', plan: 'custom' }, 'set --credits-per-day and --calls-per-second'],
      [{ id: 'a b', plan: 'free' }, 'invalid account id "a b"'],
    ] as const;
    for (const [terms, message] of attempts) {
      await expect(createAccount(store, { ...terms, ...own })).rejects.toThrow(message);
    }
    expect(await listAccounts(store)).toHaveLength(1);
  });

  it('change their plan, which running gateways see', async () => {
    const store = await open(engine);
    await createAccount(store, { id: 'acme', plan: 'free', ...own });
    const { revision } = await store.readChanges(0);
    const terms = { id: 'acme', plan: 'custom', creditsPerDay: 9, callsPerSecond: 2 };
    expect(await setPlan(store, terms)).toMatchObject({ plan: 'custom', creditsPerDay: 9 });
    const { accounts } = await store.readChanges(revision);
    expect(accounts).toEqual([{ ...terms, suspendedAt_ms: null }]);
    const unknown = { ...terms, id: 'unknown' };
    await expect(setPlan(store, unknown)).rejects.toThrow('account "unknown" not found');
  });

  it('are suspended from the first time on, and resumed', async () => {
    const store = await open(engine);
    await createAccount(store, { id: 'acme', plan: 'free', ...own });
    for (let time = 0; time < 2; time += 1) {
      const suspended = await setSuspended(store, 'acme', true);
      expect(suspended).toMatchObject({ suspendedAt_ms: noon_ms });
    }
    expect((await store.readChanges(0)).accounts).toMatchObject([{ suspendedAt_ms: noon_ms }]);
    expect(await setSuspended(store, 'acme', false)).toMatchObject({ suspendedAt_ms: null });
    await expect(setSuspended(store, 'unknown', true)).rejects.toThrow(
      'account "unknown" not found',
    );
  });

  it('stay suspended when a configuration seeds them again', async () => {
    const store = await open(engine);
    await createAccount(store, { id: 'acme', plan: 'free', ...own });
    await setSuspended(store, 'acme', true);
    await store.putAccount({ id: 'acme', plan: 'free', ...own });
    expect(await listAccounts(store)).toMatchObject([{ suspendedAt_ms: noon_ms }]);
  });

  it('are listed completely', async () => {
    const store = await open(engine);
    const ids = Array.from({ length: 1_001 }, (_, index) => `account-${index}`);
    for (let start = 0; start < ids.length; start += 100) {
      const some = ids.slice(start, start + 100);
      await Promise.all(some.map((id) => store.putAccount({ id, plan: 'free', ...own })));
    }
    expect((await listAccounts(store)).map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('keep the plans that an administrator changed', async () => {
    const store = await open(engine);
    await store.putPlan({ ...freePlan, callsPerSecond: 99 });
    await store.addPlans([freePlan, { ...freePlan, name: 'new' }]);
    const plans = await store.listPlans(null);
    expect(plans.map(({ name, callsPerSecond }) => [name, callsPerSecond])).toEqual([
      ['custom', null],
      ['free', 99],
      ['new', 25],
    ]);
  });
}
