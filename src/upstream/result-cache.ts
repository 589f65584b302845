import type { Answerer, NodeAnswer } from './upstream.ts';

export interface CachedResult {
  readonly kind: 'result';
  readonly result: Buffer;
  readonly by?: Answerer;
}

/** Memory that an entry takes in addition to its key and result. */
const ENTRY_BYTES = 300;

/** How many recent misses are remembered; a power of two. */
const MISSES = 65_536;

/** The results that calls of one account have put into the cache. */
interface Share {
  readonly account: string;
  bytes: number;
  /** Those used least recently come first. */
  readonly keys: Set<string>;
}

interface Entry {
  readonly found: CachedResult;
  readonly share: Share;
}

/**
 * Keeps results in memory, up to a number of bytes, for the calls of all accounts. Makes space where the most
 * is used: an account that fills the cache replaces its own results, those used least recently first.
 */
export class ResultCache {
  readonly #max_bytes: number;
  readonly #entries = new Map<string, Entry>();
  readonly #shares = new Map<string, Share>();
  #bytes = 0;
  #clears = 0;
  /** The hash of the latest miss in each slot. */
  readonly #misses = new Int32Array(MISSES);

  constructor(max_bytes: number) {
    this.#max_bytes = max_bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** How many times the cache was cleared. A result requested before a clear must not be added after it. */
  get clears(): number {
    return this.#clears;
  }

  get entries(): number {
    return this.#entries.size;
  }

  get(key: string): CachedResult | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { keys } = entry.share;
    keys.delete(key);
    keys.add(key);
    return entry.found;
  }

  /**
   * Records a miss and returns whether the key was missed before. Only then is it worth an entry: few
   * calls are repeated, and keeping every result costs more time than the cache saves.
   */
  isMissedAgain(key: string): boolean {
    const hash = hashOf(key);
    const slot = hash & (MISSES - 1);
    if (this.#misses[slot] === hash) return true;
    this.#misses[slot] = hash;
    return false;
  }

  /** Adds a result that a call of this account got. */
  set(key: string, { result, by }: Extract<NodeAnswer, { kind: 'result' }>, account = ''): void {
    if (this.#entries.has(key) || sizeOf(key, result) > this.#max_bytes / 2) return;
    // A slice would keep the whole chunk that it was received in.
    const copy = Buffer.allocUnsafeSlow(result.length);
    result.copy(copy);
    const share = this.#shares.get(account) ?? { account, bytes: 0, keys: new Set() };
    this.#shares.set(account, share);
    const found: CachedResult = { kind: 'result', result: copy, ...(by && { by }) };
    this.#entries.set(key, { found, share });
    share.keys.add(key);
    this.#count(share, sizeOf(key, result));
    while (this.#bytes > this.#max_bytes) this.#evictFrom(this.#largestBeside(share));
  }

  clear(): void {
    this.#clears += 1;
    this.#entries.clear();
    this.#shares.clear();
    this.#bytes = 0;
  }

  /** Returns this share if it is at least an equal one, so that few searches are needed; or the largest. */
  #largestBeside(share: Share): Share {
    let largest = share;
    if (share.bytes * this.#shares.size >= this.#max_bytes) return share;
    for (const each of this.#shares.values()) if (each.bytes > largest.bytes) largest = each;
    return largest;
  }

  #evictFrom(share: Share): void {
    const [key] = share.keys;
    const entry = this.#entries.get(key!)!;
    share.keys.delete(key!);
    this.#entries.delete(key!);
    this.#count(share, -sizeOf(key!, entry.found.result));
    if (share.keys.size === 0) this.#shares.delete(share.account);
  }

  #count(share: Share, bytes: number): void {
    share.bytes += bytes;
    this.#bytes += bytes;
  }
}

/**
 * Wraps the function that returns the finalized block of the nodes, and clears the caches when that block
 * moves back: the nodes then serve another chain, for which no cached result is valid. The returned function
 * has to be called whenever a node may have reported another block.
 */
export function clearOnReset(
  caches: readonly ({ clear(): void } | undefined)[],
  finalized: () => number | undefined,
): () => number | undefined {
  let last = 0;
  return () => {
    const number = finalized();
    if (number === undefined) return undefined;
    if (number < last) for (const cache of caches) cache?.clear();
    last = number;
    return number;
  };
}

function sizeOf(key: string, result: Buffer): number {
  return ENTRY_BYTES + key.length + result.length;
}

/** FNV-1a of the characters, never 0. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1)
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return hash | 1;
}
