import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Account, Key, Plan } from '../../src/store/records.ts';
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts';
import { createDatabase } from '../support/shared-postgres.ts';

/** A folder of the test's own, gone when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'specgate-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export const freePlan: Plan = {
  name: 'free',
  creditsPerDay: 1_000,
  callsPerSecond: 25,
  forwarding: false,
};

export const account: Account = {
  id: 'acme',
  plan: 'free',
  creditsPerDay: null,
  callsPerSecond: null,
  suspendedAt_ms: null,
};

export function keyRecord(overrides: Partial<Key> = {}): Key {
  return {
    id: 'key-1',
    accountId: 'acme',
    hash: 'a'.repeat(64),
    prefix: 'acme',
    allow: {},
    expiresAt_ms: null,
    revokedAt_ms: null,
    ...overrides,
  };
}

/** Where a test finds a store of its own on one of the engines. */
export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** The address of a new, empty store. */
  address(): Promise<string>;
}

/** Both engines, for `describe.each`. */
export function bothEngines(): readonly Engine[] {
  return [
    { name: 'SQLite', address: async () => join(await temporaryFolder(), 'store.sqlite') },
    { name: 'PostgreSQL', address: createDatabase },
  ];
}

/** Opens a store for the length of a test. */
export async function openTestStore(address: string, options?: StoreOptions): Promise<Store> {
  const store = await openStore(address, options);
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

/** Credits the account `acme` used on a UTC day, as far as the store knows. */
export async function spentOn(store: Store, day: string): Promise<number> {
  const { days } = await store.listUsage({ accountId: 'acme', from: day, to: day });
  return days[0]?.spent ?? 0;
}
