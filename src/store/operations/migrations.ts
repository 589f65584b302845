import { StoreError, type Operation } from '../database.ts';

/** Each entry is applied once, in order, and never changed afterwards: append another. */
export const migrations: readonly (readonly string[])[] = [
  [
    // One row, incremented with every change to a plan, an account or a key.
    `CREATE TABLE revision (id INTEGER PRIMARY KEY, value BIGINT NOT NULL)`,
    `INSERT INTO revision (id, value) VALUES (1, 0)`,
    // Null quotas are set per account.
    `CREATE TABLE plans (
      name TEXT PRIMARY KEY,
      credits_per_day BIGINT,
      calls_per_second BIGINT,
      forwarding INTEGER NOT NULL,
      revision BIGINT NOT NULL)`,
    `CREATE TABLE accounts (
      id TEXT PRIMARY KEY,
      plan TEXT NOT NULL REFERENCES plans (name),
      credits_per_day BIGINT,
      calls_per_second BIGINT,
      revision BIGINT NOT NULL)`,
    // The key itself is not stored: hash is its SHA-256, prefix its first characters for display.
    `CREATE TABLE keys (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      hash TEXT NOT NULL UNIQUE,
      prefix TEXT NOT NULL,
      allow TEXT,
      expires_at_ms BIGINT,
      revoked_at_ms BIGINT,
      revision BIGINT NOT NULL)`,
    `CREATE TABLE usage (
      account_id TEXT NOT NULL,
      day TEXT NOT NULL,
      key_id TEXT NOT NULL,
      method TEXT NOT NULL,
      calls BIGINT NOT NULL,
      credits BIGINT NOT NULL,
      PRIMARY KEY (account_id, day, key_id, method))`,
  ],
  [
    `ALTER TABLE accounts ADD COLUMN suspended_at_ms BIGINT`,
    `ALTER TABLE keys ADD COLUMN label TEXT`,
    `ALTER TABLE keys ADD COLUMN created_at_ms BIGINT`,
    `CREATE INDEX keys_by_account ON keys (account_id)`,
    // Gateways read changes several times a second.
    `CREATE INDEX plans_by_revision ON plans (revision)`,
    `CREATE INDEX accounts_by_revision ON accounts (revision)`,
    `CREATE INDEX keys_by_revision ON keys (revision)`,
  ],
  [
    // spent: the sum of the day's usage. forfeited: the unspent part of expired leases.
    `CREATE TABLE balances (
      account_id TEXT NOT NULL,
      day TEXT NOT NULL,
      spent BIGINT NOT NULL,
      forfeited BIGINT NOT NULL,
      PRIMARY KEY (account_id, day))`,
    `INSERT INTO balances (account_id, day, spent, forfeited)
     SELECT account_id, day, sum(credits), 0 FROM usage GROUP BY account_id, day`,
    // reports: number of the last report applied. rate: credits per minute.
    `CREATE TABLE leases (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      day TEXT NOT NULL,
      state TEXT NOT NULL,
      held BIGINT NOT NULL,
      reports BIGINT NOT NULL,
      rate BIGINT NOT NULL,
      expires_at_ms BIGINT NOT NULL)`,
    `CREATE INDEX leases_by_account ON leases (account_id, day)`,
    `CREATE INDEX leases_by_expiry ON leases (state, expires_at_ms)`,
  ],
  // Calls per minute.
  [`ALTER TABLE leases ADD COLUMN call_rate BIGINT NOT NULL DEFAULT 0`],
  [
    // The row as the configuration last described it, JSON; null if it never did.
    `ALTER TABLE accounts ADD COLUMN seeded TEXT`,
    `ALTER TABLE keys ADD COLUMN seeded TEXT`,
    // When another key replaced it.
    `ALTER TABLE keys ADD COLUMN rotated_at_ms BIGINT`,
  ],
  [
    `ALTER TABLE balances RENAME COLUMN forfeited TO lost`,
    `UPDATE leases SET state = 'expired' WHERE state = 'forfeited'`,
  ],
  [
    // Closed leases are kept for days; queries for the open ones of an account must not read them.
    `DROP INDEX leases_by_account`,
    `CREATE INDEX leases_by_account ON leases (account_id, day, state)`,
  ],
];

export interface MigrateOptions {
  /** Whether an empty database becomes a store. */
  readonly creates: boolean;
}

/** Creates the schema or updates it to the newest version. Safe to run from several processes. */
export const migrate: Operation<MigrateOptions, void> = {
  access: 'migrate',
  run: async ({ query }, { creates }) => {
    await query(`CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)`);
    const [row] = await query(`SELECT max(version) AS version FROM schema_version`);
    const current = Number(row?.['version'] ?? 0);
    if (current === 0 && !creates) {
      throw new StoreError(
        'this database holds no store; check its address, or create a store there with: ' +
          'specgate accounts create ID --plan PLAN --create-store',
      );
    }
    if (current > migrations.length) {
      throw new StoreError(
        `schema version ${current} was written by another version of specgate, expected ` +
          `${migrations.length} or lower; use that version, or another store`,
      );
    }
    for (const [index, statements] of migrations.entries()) {
      if (index < current) continue;
      for (const statement of statements) await query(statement);
      await query(`INSERT INTO schema_version (version) VALUES (?)`, [index + 1]);
    }
  },
};
