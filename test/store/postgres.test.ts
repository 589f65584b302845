import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../support/shared-postgres.ts';
import { freePlan, openTestStore } from './support.ts';

it('leaves connections to a server that has become read-only, as after a failover', async () => {
  const address = await createDatabase();
  const name = new URL(address).pathname.slice(1);
  const store = await openTestStore(address);
  const client = new Client({ connectionString: address });
  await client.connect();
  onTestFinished(() => client.end());
  const change = (value: 'on' | 'off'): Promise<unknown> =>
    client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
  const ownPid = 'pid <> pg_backend_pid() AND datname = current_database()';
  await change('on');
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ownPid}`);
  const save = (): Promise<unknown> => store.putPlan(freePlan);
  await expect.poll(() => save().catch(String)).toContain('read-only transaction');
  await change('off');
  await save();
});
