import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { toRecord, type Query, type Row, type Value } from '../../src/store/database.ts';
import { closeExpiredLeases, readToday } from '../../src/store/operations/account-day.ts';
import { migrations } from '../../src/store/operations/migrations.ts';
import { renewLeases } from '../../src/store/operations/renew-leases.ts';

const noon_ms = Date.parse('2026-11-21T12:00:00Z');
const request = {
  leaseId: 'a',
  accountId: 'acme',
  report: 1,
  usage: [],
  returned: 0,
  needs: [],
  rate: null,
  callRate: null,
  isClosing: false,
};

it('no operation reads the closed leases of an account or of all accounts', async () => {
  const database = new DatabaseSync(':memory:');
  onTestFinished(() => database.close());
  for (const statement of migrations.flat()) database.exec(statement);
  const plans: string[] = [];
  const query = (async (sql: string, values: readonly Value[] = []) => {
    if (sql.includes('leases')) {
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as Row[];
      plans.push(...steps.map(({ detail }) => String(detail)));
    }
    return (database.prepare(sql).all(...values) as Row[]).map(toRecord);
  }) as Query;
  const transaction = { query, now_ms: async () => noon_ms };
  const terms = { ttl_ms: 1, max_call_credits: 1_000 };
  await renewLeases.run(transaction, { requests: [request], ...terms });
  await readToday.run(transaction, { accountId: 'acme', leaseIds: ['a', 'b'] });
  const later = { query, now_ms: async () => noon_ms + 1_000 };
  expect(await closeExpiredLeases.run(later, null)).toBe(1);
  const accesses = plans.filter((plan) => /\bleases\b/.test(plan));
  expect(accesses.length).toBeGreaterThan(5);
  for (const access of accesses) expect(access).toMatch(/SEARCH .*(?:state=\?|\(id=\?\))/);
});
