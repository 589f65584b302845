/** Stores that become unreachable, and reachable again, when a test says so. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../store/support.ts';
import { startFlakyLink } from './flaky-link.ts';
import { createDatabase } from './shared-postgres.ts';

export interface StoreOutage {
  /** Of the store, as in a configuration. */
  readonly address: string;
  begin(): void;
  end(): void;
}

async function postgresOutage(kind: 'cut' | 'stall'): Promise<StoreOutage> {
  const address = new URL(await createDatabase());
  const link = await startFlakyLink(Number(address.port));
  onTestFinished(() => link.stop());
  address.port = String(link.port);
  return { address: address.href, begin: () => link[kind](), end: () => link.restore() };
}

/** Another process keeps the file locked. */
async function sqliteOutage(): Promise<StoreOutage> {
  const address = join(await temporaryFolder(), 'store.sqlite');
  let other: DatabaseSync | undefined;
  const end = (): void => {
    other?.close();
    other = undefined;
  };
  onTestFinished(end);
  return {
    address,
    begin() {
      other = new DatabaseSync(address);
      other.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
    },
    end,
  };
}

/** The file is moved away, and back. */
async function sqliteDeletion(): Promise<StoreOutage> {
  const address = join(await temporaryFolder(), 'store.sqlite');
  const away = `${address}.away`;
  return {
    address,
    begin: () => renameSync(address, away),
    end: () => renameSync(away, address),
  };
}

export interface KindOfOutage {
  readonly name: string;
  prepare(): Promise<StoreOutage>;
}

/** For `describe.each`. */
export const storeOutages = {
  refused: { name: 'PostgreSQL refuses connections', prepare: () => postgresOutage('cut') },
  silent: { name: 'PostgreSQL is silent', prepare: () => postgresOutage('stall') },
  locked: { name: 'the SQLite file is locked', prepare: sqliteOutage },
  missing: { name: 'the SQLite file is missing', prepare: sqliteDeletion },
} satisfies Readonly<Record<string, KindOfOutage>>;
