import { describe, expect, it, onTestFinished } from 'vitest';
import { createAccount, setPlan, setSuspended } from '../../src/admin/accounts.ts';
import { createKey, revokeKey, updateKey } from '../../src/admin/keys.ts';
import { checkCall, checkPlace, type Caller } from '../../src/auth/caller.ts';
import { followAccounts, type AccountSource, KeyIndex } from '../../src/auth/key-index.ts';
import { defaultLimits } from '../../src/config/limits.ts';
import { bothEngines, freePlan, openTestStore } from '../store/support.ts';

const team = { ...freePlan, name: 'team', creditsPerDay: 75_000, forwarding: true };
const network = { network: 'evm', origin: undefined };

describe.each(bothEngines())('a running gateway on $name', (engine) => {
  it('reads changes more often than once a second', () => {
    expect(defaultLimits.key_refresh_ms).toBeLessThan(1_000);
  });

  it('applies each change of an operator the next time it reads', async () => {
    const address = await engine.address();
    const [store, operator] = [await openTestStore(address), await openTestStore(address)];
    await operator.addPlans([freePlan, team]);
    const own = { creditsPerDay: null, callsPerSecond: null };
    await createAccount(operator, { id: 'acme', plan: 'free', ...own });
    const index = new KeyIndex();
    let readings = 0;
    const source: AccountSource = {
      async readChanges(revision) {
        readings += 1;
        return store.readChanges(revision);
      },
    };
    const following = await followAccounts(source, index, {
      interval_ms: 10,
      onChange: () => undefined,
      onFailure: (error) => expect(error).toBeUndefined(),
    });
    onTestFinished(() => following.stop());

    const wish = { accountId: 'acme', label: null, allow: {}, expiresAt_ms: null };
    const { key, secret } = await createKey(operator, wish);
    const authenticated = (): Caller | string => {
      const admission = index.authenticate(secret, Date.now());
      return admission.ok ? admission.value.caller : admission.error;
    };
    const becomes = async (what: string, isSo: (authenticated: Caller | string) => boolean) => {
      // One may be under way already; when the third begins, the second is applied.
      const enough = readings + 3;
      await expect.poll(() => readings, { interval: 5 }).toBeGreaterThanOrEqual(enough);
      expect({ what, isSo: isSo(authenticated()) }).toEqual({ what, isSo: true });
    };
    const asCaller = (test: (caller: Caller) => boolean) => (authenticated: Caller | string) =>
      typeof authenticated !== 'string' && test(authenticated);

    await becomes('known', (authenticated) => typeof authenticated !== 'string');
    await setPlan(operator, { id: 'acme', plan: 'team', ...own });
    await becomes(
      'richer',
      asCaller(({ creditsPerDay }) => creditsPerDay === 75_000),
    );
    await updateKey(operator, { id: key.id, allow: { methods: ['eth_a'], networks: ['svm'] } });
    await becomes(
      'restricted to a method',
      asCaller((caller) => !checkCall(caller, 'eth_b', []).ok),
    );
    expect(checkPlace(authenticated() as Caller, network)).toMatchObject({
      error: { reason: 'network_not_allowed' },
    });
    await updateKey(operator, { id: key.id, dropsAllow: true, expiresAt_ms: Date.now() + 60_000 });
    await becomes(
      'free again',
      asCaller((caller) => checkCall(caller, 'eth_b', []).ok),
    );
    await setSuspended(operator, 'acme', true);
    await becomes('suspended', (authenticated) => authenticated === 'account_suspended');
    await setSuspended(operator, 'acme', false);
    await becomes('resumed', (authenticated) => typeof authenticated !== 'string');
    await revokeKey(operator, key.id);
    await becomes('revoked', (authenticated) => authenticated === 'key_revoked');
  });
});
