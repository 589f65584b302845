import { err, ok, type Result } from '../errors/result.ts';
import type { Account, Changes, Key, Plan } from '../store/records.ts';
import { toCaller, type Caller } from './caller.ts';
import {
  containsGeneratedKey,
  hashKey,
  isHashable,
  looksLikeKey,
  partsLikeGeneratedKeys,
} from './hash-key.ts';
import { every, type Periodic } from '../time/periodic.ts';

type AuthFailure =
  | 'key_malformed'
  | 'key_unknown'
  | 'key_expired'
  | 'key_revoked'
  | 'account_suspended';

/** An authenticated caller, and the hash of its key for later checks. */
export interface Admission {
  readonly caller: Caller;
  readonly keyHash: string;
}

/** Maximum number of cached hashes; beyond this the cache is cleared. */
const MAX_HASHES = 10_000;

/** Shorter words of a text are not looked up. */
const MIN_KEY_CHARACTERS = 4;

/** A text with more words is taken to contain a key: each is hashed, before any limit on calls applies. */
const MAX_WORDS = 4;

/** All keys in memory, by hash, so that authentication does not read the store. */
export class KeyIndex {
  readonly #plans = new Map<string, Plan>();
  readonly #accounts = new Map<string, Account>();
  readonly #keys = new Map<string, Key>();
  /** Prefixes of all keys of an account, expired and revoked ones included. */
  readonly #prefixes = new Map<string, Set<string>>();
  readonly #hashById = new Map<string, string>();
  /** Callers by key hash; cleared on every change. */
  readonly #callers = new Map<string, Caller>();
  /** Hashes of accepted keys, cached because hashing is the most expensive step. */
  readonly #hashes = new Map<string, string>();

  apply({ plans, accounts, keys }: Changes): void {
    for (const plan of plans) this.#plans.set(plan.name, plan);
    for (const account of accounts) this.#accounts.set(account.id, account);
    for (const key of keys) {
      this.#keys.delete(this.#hashById.get(key.id) ?? '');
      this.#keys.set(key.hash, key);
      this.#hashById.set(key.id, key.hash);
      const prefixes = this.#prefixes.get(key.accountId);
      if (prefixes === undefined) this.#prefixes.set(key.accountId, new Set([key.prefix]));
      else prefixes.add(key.prefix);
    }
    this.#callers.clear();
  }

  /** Returns the caller of a key at `now_ms` (Unix time), or why it is rejected. */
  authenticate(key: string, now_ms: number): Result<Admission, AuthFailure> {
    if (!isHashable(key)) return err('key_malformed');
    const keyHash = this.#hashes.get(key) ?? hashKey(key);
    const caller = this.recheck(keyHash, now_ms);
    if (!caller.ok) {
      const isMalformed = caller.error === 'key_unknown' && !looksLikeKey(key);
      return isMalformed ? err('key_malformed') : caller;
    }
    this.#cacheHash(key, keyHash);
    return ok({ caller: caller.value, keyHash });
  }

  /**
   * Whether `text` may contain a key, valid or not. What looks like a generated key is found by its form (after
   * a letter or digit, only if it is a key), and beginnings of keys of the account anywhere in the text;
   * configured keys of other accounts are only found as whole words: neither the response nor its timing may
   * reveal how they begin.
   */
  isWithin(text: string, accountId: string): boolean {
    if (containsGeneratedKey(text)) return true;
    const words = text.split(/[.:]/).filter(({ length }) => length >= MIN_KEY_CHARACTERS);
    if (words.length > MAX_WORDS) return true;
    const candidates = [...words, ...partsLikeGeneratedKeys(text)];
    if (candidates.some((candidate) => this.#keys.has(hashKey(candidate)))) return true;
    return this.#hasStartOf(accountId, text);
  }

  /** Whether a part of `text` begins like a key of the account. Hashes nothing: a key may have any length. */
  #hasStartOf(accountId: string, text: string): boolean {
    const prefixes = this.#prefixes.get(accountId);
    return prefixes !== undefined && [...prefixes].some((prefix) => text.includes(prefix));
  }

  /** Returns the current caller of a key that was authenticated before. */
  recheck(keyHash: string, now_ms: number): Result<Caller, AuthFailure> {
    const known = this.#callers.get(keyHash);
    const caller = known === undefined ? this.#resolve(keyHash) : ok(known);
    if (!caller.ok) return caller;
    const { expiresAt_ms } = caller.value;
    return expiresAt_ms !== null && expiresAt_ms <= now_ms ? err('key_expired') : caller;
  }

  #cacheHash(key: string, keyHash: string): void {
    if (this.#hashes.has(key)) return;
    if (this.#hashes.size >= MAX_HASHES) this.#hashes.clear();
    this.#hashes.set(key, keyHash);
  }

  #resolve(keyHash: string): Result<Caller, AuthFailure> {
    const key = this.#keys.get(keyHash);
    const account = this.#accounts.get(key?.accountId ?? '');
    const plan = this.#plans.get(account?.plan ?? '');
    if (key === undefined || account === undefined || plan === undefined) return err('key_unknown');
    if (key.revokedAt_ms !== null) return err('key_revoked');
    if (account.suspendedAt_ms !== null) return err('account_suspended');
    const caller = toCaller(key, account, plan);
    this.#callers.set(keyHash, caller);
    return ok(caller);
  }
}

export interface AccountSource {
  /** Reads the rows that changed after `revision`; 0 reads all rows. */
  readChanges(revision: number): Promise<Changes>;
}

/**
 * Fills `index` from `source`, then applies changes every `interval_ms`. Rejects if the first read
 * fails.
 */
export async function followAccounts(
  source: AccountSource,
  index: KeyIndex,
  options: {
    readonly interval_ms: number;
    /** Called after changes were applied. */
    readonly onChange: () => void;
    /** Called when a later read fails; the index stays as it is until the next read. */
    readonly onFailure: (error: unknown) => void;
  },
): Promise<Periodic> {
  let revision = 0;
  const read = async (): Promise<void> => {
    const changes = await source.readChanges(revision);
    if (changes.revision === revision) return;
    revision = changes.revision;
    index.apply(changes);
    options.onChange();
  };
  await read();
  return every(options.interval_ms, read, options.onFailure);
}
