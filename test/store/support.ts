import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Account, Key, Plan } from '../../src/store/records.ts';

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
