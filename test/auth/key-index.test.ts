import { describe, expect, it } from 'vitest';
import { checkCall, checkPlace, type Caller } from '../../src/auth/caller.ts';
import { hashKey } from '../../src/auth/hash-key.ts';
import { KeyIndex, type Admission } from '../../src/auth/key-index.ts';
import { err, PASSED } from '../../src/errors/result.ts';
import type { Account, Key } from '../../src/store/records.ts';
import { account, freePlan, keyRecord } from '../store/support.ts';

const secret = 'sg-0123456789abcdefghij';

function indexOf(key: Partial<Key> = {}, owner: Partial<Account> = {}): KeyIndex {
  const index = new KeyIndex();
  const keys = [keyRecord({ hash: hashKey(secret), ...key })];
  index.apply({ revision: 1, plans: [freePlan], accounts: [{ ...account, ...owner }], keys });
  return index;
}

function admit(index: KeyIndex): Admission {
  const admission = index.authenticate(secret, 0);
  if (!admission.ok) throw new Error(admission.error);
  return admission.value;
}

function callerOf(key: Partial<Key> = {}, owner: Partial<Account> = {}): Caller {
  return admit(indexOf(key, owner)).caller;
}

describe('a key', () => {
  it('has the account and plan of the store', () => {
    expect(callerOf()).toMatchObject({
      keyId: 'key-1',
      accountId: 'acme',
      plan: 'free',
      creditsPerDay: 1_000,
      callsPerSecond: 25,
      forwarding: false,
    });
  });

  it("has the account's quotas rather than the plan's", () => {
    const owner = { creditsPerDay: 7, callsPerSecond: 3 };
    expect(callerOf({}, owner)).toMatchObject(owner);
  });

  it('is unknown if no account has it, malformed if it has no valid form', () => {
    const index = indexOf();
    expect(index.authenticate(`${secret}x`, 0)).toEqual(err('key_unknown'));
    for (const text of ['short', 'with space and more', `${secret}%20`, 'a'.repeat(5_000)]) {
      expect(index.authenticate(text, 0)).toEqual(err('key_malformed'));
    }
  });

  it('is accepted in any length if the store has it', () => {
    expect(indexOf({ hash: hashKey('demo') }).authenticate('demo', 0)).toMatchObject({ ok: true });
  });

  it('is found within a text by its beginning, glued to other letters too', () => {
    const index = indexOf({ prefix: secret.slice(0, 4) });
    for (const text of [secret, `x${secret}`, `${secret}x`, `1.${secret}-1`, secret.slice(0, -1)]) {
      expect(index.isWithin(text, 'acme')).toBe(true);
    }
    for (const text of ['', secret.slice(0, 3), secret.slice(1), 'req-1']) {
      expect(index.isWithin(text, 'acme')).toBe(false);
    }
  });

  it('of another account is found only as a whole word', () => {
    const index = indexOf({ prefix: secret.slice(0, 4) });
    for (const text of [secret, `trace:${secret}`, `${secret}.1`]) {
      expect(index.isWithin(text, 'other')).toBe(true);
    }
    for (const text of [`x${secret}`, `${secret}x`, secret.slice(0, 4).repeat(5)]) {
      expect(index.isWithin(text, 'other')).toBe(false);
    }
  });

  it('may be within a text of too many words to look up', () => {
    const index = indexOf({ prefix: secret.slice(0, 4) });
    const words = ['word', 'word', 'word', 'word'];
    expect(index.isWithin(words.join('.'), 'other')).toBe(false);
    expect(index.isWithin([...words, 'word'].join('.'), 'other')).toBe(true);
    expect(index.isWithin('1.2.3.4.5.6.7', 'other')).toBe(false);
  });

  it('expires on time, to the millisecond', () => {
    const index = indexOf({ expiresAt_ms: 1_000 });
    expect(index.authenticate(secret, 999)).toMatchObject({ ok: true });
    expect(index.authenticate(secret, 1_000)).toEqual(err('key_expired'));
  });

  it('is rejected once it is revoked, also where it was accepted before', () => {
    const index = indexOf();
    const { keyHash } = admit(index);
    const revoked = keyRecord({ hash: hashKey(secret), revokedAt_ms: 5 });
    index.apply({ revision: 2, plans: [], accounts: [], keys: [revoked] });
    expect(index.recheck(keyHash, 0)).toEqual(err('key_revoked'));
    expect(index.authenticate(secret, 0)).toEqual(err('key_revoked'));
  });

  it('is rejected while its account is suspended', () => {
    const index = indexOf({}, { suspendedAt_ms: 5 });
    expect(index.authenticate(secret, 0)).toEqual(err('account_suspended'));
    index.apply({ revision: 2, plans: [], accounts: [account], keys: [] });
    expect(index.authenticate(secret, 0)).toMatchObject({
      value: { caller: { accountId: 'acme' } },
    });
  });

  it('is reported as revoked whether its account is suspended or not', () => {
    const index = indexOf({ revokedAt_ms: 4 }, { suspendedAt_ms: 5 });
    expect(index.authenticate(secret, 0)).toEqual(err('key_revoked'));
  });

  it('is unknown once another key has its id', () => {
    const index = indexOf();
    const replaced = keyRecord({ hash: hashKey('another-key-0123456789') });
    index.apply({ revision: 2, plans: [], accounts: [], keys: [replaced] });
    expect(index.authenticate(secret, 0)).toEqual(err('key_unknown'));
  });

  it('follows a changed plan at once', () => {
    const index = indexOf();
    const plan = { ...freePlan, callsPerSecond: 500 };
    index.apply({ revision: 2, plans: [plan], accounts: [], keys: [] });
    expect(admit(index).caller.callsPerSecond).toBe(500);
  });
});

describe('an allow-list', () => {
  it('restricts nothing when absent', () => {
    const caller = callerOf();
    expect(checkPlace(caller, { network: 'evm', origin: undefined })).toEqual(PASSED);
    expect(checkCall(caller, 'eth_a', [])).toEqual(PASSED);
    expect(checkCall(caller, 'eth_a', ['0xAA'])).toEqual(PASSED);
  });

  it('of networks, origins and methods allows its entries only', () => {
    const caller = callerOf({
      allow: { networks: ['evm'], origins: ['https://a.example'], methods: ['eth_a'] },
    });
    const place = { network: 'evm', origin: 'https://a.example' };
    expect(checkPlace(caller, place)).toEqual(PASSED);
    expect(checkPlace(caller, { ...place, network: 'solana' })).toEqual(
      err({ reason: 'network_not_allowed', network: 'solana' }),
    );
    for (const origin of ['https://b.example', undefined]) {
      expect(checkPlace(caller, { ...place, origin })).toEqual(
        err({ reason: 'origin_not_allowed' }),
      );
    }
    expect(checkCall(caller, 'eth_a', [])).toEqual(PASSED);
    expect(checkCall(caller, 'eth_b', [])).toEqual(
      err({ reason: 'method_not_allowed', method: 'eth_b' }),
    );
  });

  it('of contracts ignores the case of hexadecimal addresses, but not of base58 ones', () => {
    const caller = callerOf({ allow: { contracts: ['0xAbCd', 'Token9'] } });
    expect(checkCall(caller, 'eth_a', ['0xaBcD', 'Token9'])).toEqual(PASSED);
    expect(checkCall(caller, 'eth_a', ['0xabcd', 'token9'])).toEqual(
      err({ reason: 'contract_not_allowed', address: 'token9' }),
    );
  });
});
