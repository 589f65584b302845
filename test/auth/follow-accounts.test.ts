import { expect, it, onTestFinished } from 'vitest';
import { followAccounts, KeyIndex } from '../../src/auth/key-index.ts';
import { hashKey } from '../../src/auth/hash-key.ts';
import { openStore } from '../../src/store/store.ts';
import { account, freePlan, keyRecord } from '../store/support.ts';
import { eventually } from '../transport/eventually.ts';

it('a change in the store reaches the index within a second, also after the store failed', async () => {
  const store = await openStore(':memory:');
  onTestFinished(() => store.close());
  await store.putPlan(freePlan);
  await store.putAccount(account);
  const index = new KeyIndex();
  const failures: unknown[] = [];
  let broken = false;
  let changed = Promise.withResolvers<void>();
  const source = {
    readChanges: (revision: number) =>
      broken ? Promise.reject(new Error('gone')) : store.readChanges(revision),
  };
  const following = await followAccounts(source, index, {
    interval_ms: 20,
    onChange: () => changed.resolve(),
    onFailure: (error) => failures.push(error),
  });
  onTestFinished(() => following.stop());
  changed = Promise.withResolvers<void>();

  broken = true;
  await store.putKey(keyRecord({ hash: hashKey('demo') }));
  await eventually(() => failures.length).toBeGreaterThan(0);
  expect(index.authenticate('demo', 0)).toMatchObject({ error: 'key_malformed' });
  broken = false;
  await changed.promise;
  expect(index.authenticate('demo', 0)).toMatchObject({ value: { caller: { accountId: 'acme' } } });
});
