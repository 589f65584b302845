import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { RateLimit } from '../../src/credits/rate-limit.ts';
import { LeaseLedger } from '../../src/credits/lease-ledger.ts';
import { systemClock } from '../../src/time/clock.ts';
import { every } from '../../src/time/periodic.ts';
import { account, freePlan, openTestStore, temporaryFolder } from '../store/support.ts';
import { startFlakyLink } from '../support/flaky-link.ts';
import { startPostgres, type PostgresServer } from '../support/postgres.ts';
import { charge, ledgerLimits, reserve } from './support.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

/** A store, and how it is made unreachable and reachable again. */
interface Outage {
  readonly address: string;
  begin(): void;
  end(): void;
}

async function postgresOutage(kind: 'cut' | 'stall'): Promise<Outage> {
  const link = await startFlakyLink(server.port);
  onTestFinished(() => link.stop());
  const address = (await server.createDatabase()).replace(`:${server.port}/`, `:${link.port}/`);
  return { address, begin: () => link[kind](), end: () => link.mend() };
}

/** Someone else keeps the file locked. */
async function sqliteOutage(): Promise<Outage> {
  const address = join(await temporaryFolder(), 'store.sqlite');
  let other: DatabaseSync | undefined;
  return {
    address,
    begin() {
      other = new DatabaseSync(address);
      other.exec('BEGIN IMMEDIATE');
    },
    end: () => other?.close(),
  };
}

const outages: readonly { readonly name: string; readonly prepare: () => Promise<Outage> }[] = [
  { name: 'PostgreSQL refuses connections', prepare: () => postgresOutage('cut') },
  { name: 'PostgreSQL is silent', prepare: () => postgresOutage('stall') },
  { name: 'the SQLite file is locked', prepare: sqliteOutage },
];

describe.each(outages)('while $name', ({ prepare }) => {
  it('calls go on from held leases, then are refused, and then go on without a restart', async () => {
    const outage = await prepare();
    const store = await openTestStore(outage.address, { statement_ms: 400, connect_ms: 400 });
    const creditsPerDay = 1_000_000;
    await store.putPlan({ ...freePlan, creditsPerDay });
    await store.putAccount(account);
    const failures: unknown[] = [];
    const ledger = new LeaseLedger({
      store,
      clock: systemClock,
      limits: { ...ledgerLimits, ttl_ms: 4_000, store_wait_ms: 1_500 },
      callRates: new RateLimit(() => 0),
      onFailure: (error) => failures.push(error),
    });
    const renewing = every(
      100,
      () => ledger.renewDue(),
      () => undefined,
    );
    onTestFinished(() => renewing.stop());
    const spender = { accountId: 'acme', keyId: 'key-1', creditsPerDay };
    let paid = 0;
    const pay = async (cost: number): Promise<boolean> => {
      const isPaid = await charge(ledger, spender, { cost });
      if (isPaid) paid += cost;
      return isPaid;
    };
    expect(await pay(80)).toBe(true);

    outage.begin();
    for (let call = 0; call < 20; call += 1) {
      expect(await pay(80)).toBe(true);
      await sleep(10);
    }
    let last_ms = 0;
    const refusal = await (async () => {
      for (;;) {
        const started_ms = performance.now();
        const reserved = await reserve(ledger, spender, { cost: 500 });
        last_ms = performance.now() - started_ms;
        if ('reason' in reserved) return reserved;
        reserved.release();
        await sleep(50);
      }
    })();
    expect(refusal).toEqual({ reason: 'store_unavailable' });
    expect(last_ms).toBeLessThan(2_000);
    expect(failures.length).toBeGreaterThan(0);

    outage.end();
    await expect.poll(() => pay(80), { timeout: 8_000 }).toBe(true);
    await renewing.stop();
    await ledger.close();
    const { spent, leased, usage } = await store.readToday('acme');
    expect({ spent, leased }).toEqual({ spent: paid, leased: 0 });
    expect(usage).toMatchObject([{ credits: paid }]);
  });
});
