import { describe, expect, it } from 'vitest';
import { setPlan, setSuspended } from '../../src/admin/accounts.ts';
import { revokeKey, rotateKey, updateKey } from '../../src/admin/keys.ts';
import { hashKey } from '../../src/auth/hash-key.ts';
import type { Config } from '../../src/config/schema.ts';
import { seedStore } from '../../src/main/account-store.ts';
import type { Store } from '../../src/store/store.ts';
import { bothEngines, freePlan, openTestStore } from '../store/support.ts';

const noon_ms = Date.parse('2026-11-21T12:00:00Z');
const plans = [freePlan, { ...freePlan, name: 'team' }, { ...freePlan, name: 'large' }];
const id = `key-${hashKey('secret').slice(0, 12)}`;
const allow = { methods: ['eth_a', 'eth_b'] };

type ConfiguredKey = Config['accounts'][number]['keys'][number];

function say(key: Partial<ConfiguredKey> = {}, plan = 'free'): Config['accounts'] {
  return [{ id: 'acme', plan, keys: [{ key: 'secret', allow, ...key }] }];
}

describe.each(bothEngines())('what an administrator did, on $name,', (engine) => {
  async function open(): Promise<Store> {
    const store = await openTestStore(await engine.address(), { now_ms: () => noon_ms });
    await seedStore(store, plans, say());
    return store;
  }
  const keyIn = async (store: Store) =>
    (await store.listKeys({ accountId: undefined, after: '' })).find((key) => key.id === id);
  const accountIn = async (store: Store) =>
    (await store.listAccounts({ accountId: 'acme', after: '' }))[0];

  it('stays when the same configuration is seeded again: rotated, revoked, restricted', async () => {
    const store = await open();
    await rotateKey(store, id, 1_000);
    const narrowed = await updateKey(store, { id, allow: { methods: ['eth_a'] }, label: 'old' });
    await seedStore(store, plans, say());
    expect(await keyIn(store)).toEqual(narrowed);
    expect(narrowed.expiresAt_ms).toBe(noon_ms + 1_000);
    const revoked = await revokeKey(store, id);
    await seedStore(store, plans, say());
    expect(await keyIn(store)).toEqual(revoked);
  });

  it('stays where the configuration changes something else', async () => {
    const store = await open();
    await updateKey(store, { id, allow: { methods: ['eth_a'] } });
    await seedStore(store, plans, say({ expiresAt: '2030-01-01T00:00:00Z' }));
    expect(await keyIn(store)).toMatchObject({
      allow: { methods: ['eth_a'] },
      expiresAt_ms: Date.parse('2030-01-01T00:00:00Z'),
    });
    await updateKey(store, { id, expiresAt_ms: noon_ms });
    await seedStore(store, plans, say({ expiresAt: '2030-01-01T00:00:00Z', allow: {} }));
    expect(await keyIn(store)).toMatchObject({ allow: {}, expiresAt_ms: noon_ms });
  });

  it('revokes a key permanently, whatever the configuration says later', async () => {
    const store = await open();
    await rotateKey(store, id, 1_000);
    await seedStore(store, plans, say({ expiresAt: '2030-01-01T00:00:00Z' }));
    expect(await keyIn(store)).toMatchObject({ expiresAt_ms: noon_ms + 1_000 });
    await seedStore(store, plans, say({ expiresAt: '2026-11-21T12:00:00.500Z' }));
    expect(await keyIn(store)).toMatchObject({ expiresAt_ms: noon_ms + 500 });
    await revokeKey(store, id);
    await seedStore(store, plans, say({ allow: {} }));
    expect(await keyIn(store)).toMatchObject({ revokedAt_ms: noon_ms });
  });

  it('to an account stays until the configuration changes its terms; a suspended one stays suspended', async () => {
    const store = await open();
    const own = { creditsPerDay: 7, callsPerSecond: null };
    await setPlan(store, { id: 'acme', plan: 'team', ...own });
    await setSuspended(store, 'acme', true);
    await seedStore(store, plans, say());
    const suspended = { suspendedAt_ms: noon_ms };
    expect(await accountIn(store)).toMatchObject({ plan: 'team', creditsPerDay: 7, ...suspended });
    await seedStore(store, plans, say({}, 'large'));
    expect(await accountIn(store)).toMatchObject({
      plan: 'large',
      creditsPerDay: 1_000,
      ...suspended,
    });
  });

  it('is overwritten by a configuration that lists for the first time what was created by hand', async () => {
    const store = await open();
    const { key, secret } = await rotateKey(store, id, 0);
    await updateKey(store, { id: key.id, expiresAt_ms: noon_ms + 9 });
    await seedStore(store, plans, say({ key: secret, allow: { networks: ['evm'] } }));
    const keys = await store.listKeys({ accountId: 'acme', after: '' });
    expect(keys.find((entry) => entry.id === key.id)).toMatchObject({
      allow: { networks: ['evm'] },
      expiresAt_ms: noon_ms + 9,
    });
  });
});
