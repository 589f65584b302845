import { describe, expect, it, onTestFinished } from 'vitest';
import { createAccount, setPlan, setSuspended } from '../../src/admin/accounts.ts';
import { createKey, revokeKey, updateKey } from '../../src/admin/keys.ts';
import { refuseMethod, refusePlace } from '../../src/auth/allow.ts';
import type { Caller } from '../../src/auth/caller.ts';
import { followAccounts } from '../../src/auth/follow-accounts.ts';
import { KeyIndex } from '../../src/auth/key-index.ts';
import { defaultLimits } from '../../src/config/limits.ts';
import { bothEngines, freePlan, openTestStore } from '../store/support.ts';

const WITHIN_MS = 1_000;
const team = { ...freePlan, name: 'team', creditsPerDay: 75_000, forwarding: true };
const network = { network: 'evm', origin: undefined };

describe.each(bothEngines())('a running gateway on $name', (engine) => {
  it('goes by each change an operator makes within a second', async () => {
    const address = await engine.address();
    const [store, operator] = [await openTestStore(address), await openTestStore(address)];
    await operator.addPlans([freePlan, team]);
    const own = { creditsPerDay: null, callsPerSecond: null };
    await createAccount(operator, { id: 'acme', plan: 'free', ...own });
    const index = new KeyIndex();
    const following = await followAccounts(store, index, {
      interval_ms: defaultLimits.key_refresh_ms,
      onChange: () => undefined,
      onFailure: (error) => expect(error).toBeUndefined(),
    });
    onTestFinished(() => following.stop());

    const wish = { accountId: 'acme', label: null, allow: {}, expiresAt_ms: null };
    const { key, secret } = await createKey(operator, wish);
    const judged = (): Caller | string => {
      const admission = index.authenticate(secret, Date.now());
      return typeof admission === 'string' ? admission : admission.caller;
    };
    const becomes = async (what: string, isSo: (judged: Caller | string) => boolean) => {
      const made_ms = performance.now();
      while (!isSo(judged())) {
        const waited_ms = performance.now() - made_ms;
        expect({ what, isInTime: waited_ms < WITHIN_MS }).toEqual({ what, isInTime: true });
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const asCaller = (test: (caller: Caller) => boolean) => (judged: Caller | string) =>
      typeof judged !== 'string' && test(judged);

    await becomes('known', (judged) => typeof judged !== 'string');
    await setPlan(operator, { id: 'acme', plan: 'team', ...own });
    await becomes(
      'richer',
      asCaller(({ creditsPerDay }) => creditsPerDay === 75_000),
    );
    await updateKey(operator, { id: key.id, allow: { methods: ['eth_a'], networks: ['svm'] } });
    await becomes(
      'restricted to a method',
      asCaller((caller) => refuseMethod(caller, 'eth_b')?.reason === 'method_not_allowed'),
    );
    expect(refusePlace(judged() as Caller, network)?.reason).toBe('network_not_allowed');
    await updateKey(operator, { id: key.id, dropsAllow: true, expiresAt_ms: Date.now() + 60_000 });
    await becomes(
      'free again',
      asCaller((caller) => refuseMethod(caller, 'eth_b') === undefined),
    );
    await setSuspended(operator, 'acme', true);
    await becomes('suspended', (judged) => judged === 'account_suspended');
    await setSuspended(operator, 'acme', false);
    await becomes('resumed', (judged) => typeof judged !== 'string');
    await revokeKey(operator, key.id);
    await becomes('revoked', (judged) => judged === 'key_revoked');
  });
});
