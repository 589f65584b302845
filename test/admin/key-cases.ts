import { expect, it } from 'vitest';
import { createAccount } from '../../src/admin/accounts.ts';
import {
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
  stateOfKey,
  updateKey,
} from '../../src/admin/keys.ts';
import { hashKey } from '../../src/auth/hash-key.ts';
import { KeyIndex } from '../../src/auth/key-index.ts';
import type { Store } from '../../src/store/store.ts';
import { freePlan, openTestStore, type Engine } from '../store/support.ts';

const noon_ms = Date.parse('2026-11-21T12:00:00Z');
const plain = { accountId: 'acme', label: null, allow: {}, expiresAt_ms: null };

async function open(engine: Engine): Promise<{ store: Store; clock: { now_ms: number } }> {
  const clock = { now_ms: noon_ms };
  const store = await openTestStore(await engine.address(), { now_ms: () => clock.now_ms });
  await store.addPlans([freePlan]);
  for (const id of ['acme', 'other']) {
    await createAccount(store, { id, plan: 'free', creditsPerDay: null, callsPerSecond: null });
  }
  return { store, clock };
}

/** Returns how a gateway authenticates a key. */
async function authenticate(store: Store, secret: string, now_ms = noon_ms): Promise<string> {
  const index = new KeyIndex();
  index.apply(await store.readChanges(0));
  const admission = index.authenticate(secret, now_ms);
  return admission.ok ? admission.value.caller.accountId : admission.error;
}

/** Tests of keys, for each engine. */
export function testKeys(engine: Engine): void {
  it('are random, shown once and stored as a hash', async () => {
    const { store } = await open(engine);
    const allow = { methods: ['eth_a'], origins: ['https://a.example'] };
    const wish = { ...plain, label: 'backend', allow, expiresAt_ms: noon_ms + 5 };
    const { key, secret } = await createKey(store, wish);
    expect(secret).toMatch(/^sg_[\w-]{32}$/);
    expect(key).toMatchObject({
      ...wish,
      hash: hashKey(secret),
      prefix: secret.slice(0, 7),
      createdAt_ms: noon_ms,
      revokedAt_ms: null,
    });
    expect(await listKeys(store, 'acme')).toEqual([key]);
    expect(JSON.stringify(await store.readChanges(0))).not.toContain(secret);
    expect(await authenticate(store, secret)).toBe('acme');
    expect(await authenticate(store, secret, noon_ms + 5)).toBe('key_expired');
    expect((await createKey(store, plain)).secret).not.toBe(secret);
    await expect(createKey(store, { ...plain, accountId: 'unknown' })).rejects.toThrow(
      'account "unknown" not found',
    );
  });

  it('are listed for one account or all', async () => {
    const { store } = await open(engine);
    const { key } = await createKey(store, plain);
    const { key: other } = await createKey(store, { ...plain, accountId: 'other' });
    expect(await listKeys(store, 'other')).toEqual([other]);
    const ids = (await listKeys(store)).map(({ id }) => id);
    expect(ids).toEqual([key.id, other.id].sort());
    await expect(listKeys(store, 'unknown')).rejects.toThrow('account "unknown" not found');
  });

  it('change only what is given', async () => {
    const { store } = await open(engine);
    const allow = { methods: ['eth_a'], networks: ['evm'] };
    const { key } = await createKey(store, { ...plain, label: 'a', allow });
    const moved = await updateKey(store, { id: key.id, allow: { methods: ['eth_b'] } });
    expect(moved).toEqual({ ...key, allow: { methods: ['eth_b'], networks: ['evm'] } });
    const limited = await updateKey(store, { id: key.id, expiresAt_ms: noon_ms + 9, label: 'b' });
    expect(limited).toEqual({ ...moved, expiresAt_ms: noon_ms + 9, label: 'b' });
    const free = await updateKey(store, { id: key.id, dropsAllow: true, expiresAt_ms: null });
    expect(free).toEqual({ ...key, label: 'b', allow: {} });
    await expect(updateKey(store, { id: 'none' })).rejects.toThrow('key "none" not found');
  });

  it('are revoked permanently, from the first time on', async () => {
    const { store, clock } = await open(engine);
    const { key, secret } = await createKey(store, plain);
    expect(await revokeKey(store, key.id)).toMatchObject({ revokedAt_ms: noon_ms });
    clock.now_ms += 1_000;
    expect(await revokeKey(store, key.id)).toMatchObject({ revokedAt_ms: noon_ms });
    expect(await authenticate(store, secret)).toBe('key_revoked');
    await expect(revokeKey(store, 'none')).rejects.toThrow('key "none" not found');
  });

  it('are rotated at once or with an overlap', async () => {
    const { store, clock } = await open(engine);
    const allow = { methods: ['eth_a'] };
    const first = await createKey(store, { ...plain, label: 'a', allow });
    const second = await rotateKey(store, first.key.id, 0);
    expect(second.key).toMatchObject({ accountId: 'acme', label: 'a', allow, expiresAt_ms: null });
    expect(await authenticate(store, first.secret)).toBe('key_revoked');
    expect(await authenticate(store, second.secret)).toBe('acme');

    const third = await rotateKey(store, second.key.id, 60_000);
    expect(third.old).toMatchObject({ id: second.key.id, expiresAt_ms: noon_ms + 60_000 });
    expect(await authenticate(store, second.secret, noon_ms + 59_999)).toBe('acme');
    expect(await authenticate(store, second.secret, noon_ms + 60_000)).toBe('key_expired');
    expect(await authenticate(store, third.secret, noon_ms + 60_000)).toBe('acme');

    await expect(rotateKey(store, first.key.id, 0)).rejects.toThrow('was revoked');
    clock.now_ms += 60_000;
    await expect(rotateKey(store, second.key.id, 0)).rejects.toThrow('has expired');
    await expect(rotateKey(store, 'none', 0)).rejects.toThrow('key "none" not found');
  });

  it('expire no later when they are rotated', async () => {
    const { store } = await open(engine);
    const { key } = await createKey(store, { ...plain, expiresAt_ms: noon_ms + 10 });
    const rotated = await rotateKey(store, key.id, 60_000);
    expect(rotated.old.expiresAt_ms).toBe(noon_ms + 10);
    expect(rotated.key.expiresAt_ms).toBe(noon_ms + 10);
    expect(stateOfKey(rotated.key, noon_ms + 9)).toBe('active');
    expect(stateOfKey(rotated.key, noon_ms + 10)).toBe('expired');
  });
}
