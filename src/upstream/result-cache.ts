import type { Answerer, NodeAnswer } from './upstream.ts';

export interface CachedResult {
  readonly kind: 'result';
  readonly result: Buffer;
  readonly by?: Answerer;
}

/** What an entry takes in memory beside its key and its result. */
const ENTRY_BYTES = 300;

/** How many recent misses are remembered; a power of two. */
const MISSES = 65_536;

/**
 * Results in memory, up to a number of bytes. Entries are in two generations: when the newer one is
 * half of the maximum, it becomes the older one, and what was not read since then is dropped.
 */
export class ResultCache {
  readonly #max_bytes: number;
  #recent = new Map<string, CachedResult>();
  #older = new Map<string, CachedResult>();
  #recent_bytes = 0;
  #older_bytes = 0;
  #clears = 0;
  /** The hash of the latest miss of each slot. */
  readonly #misses = new Int32Array(MISSES);

  constructor(max_bytes: number) {
    this.#max_bytes = max_bytes;
  }

  get bytes(): number {
    return this.#recent_bytes + this.#older_bytes;
  }

  /** How often it was cleared: what was asked for before is not added after. */
  get clears(): number {
    return this.#clears;
  }

  get entries(): number {
    return this.#recent.size + this.#older.size;
  }

  get(key: string): CachedResult | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const entry = this.#older.get(key);
    if (entry === undefined) return undefined;
    this.#older.delete(key);
    this.#older_bytes -= sizeOf(key, entry.result);
    this.#add(key, entry);
    return entry;
  }

  /**
   * Records a miss. Returns whether the key was missed before, so that it is worth an entry: few calls
   * are repeated, and keeping all results takes more time than the cache saves.
   */
  isMissedAgain(key: string): boolean {
    const hash = hashOf(key);
    const slot = hash & (MISSES - 1);
    if (this.#misses[slot] === hash) return true;
    this.#misses[slot] = hash;
    return false;
  }

  set(key: string, { result, by }: Extract<NodeAnswer, { kind: 'result' }>): void {
    if (this.get(key) !== undefined) return;
    // A slice would keep the whole chunk it was received in.
    const copy = Buffer.allocUnsafeSlow(result.length);
    result.copy(copy);
    this.#add(key, { kind: 'result', result: copy, ...(by && { by }) });
  }

  clear(): void {
    this.#clears += 1;
    this.#recent = new Map();
    this.#older = new Map();
    this.#recent_bytes = 0;
    this.#older_bytes = 0;
  }

  #add(key: string, entry: CachedResult): void {
    const size_bytes = sizeOf(key, entry.result);
    if (size_bytes > this.#max_bytes / 2) return;
    if (this.#recent_bytes + size_bytes > this.#max_bytes / 2) {
      this.#older = this.#recent;
      this.#older_bytes = this.#recent_bytes;
      this.#recent = new Map();
      this.#recent_bytes = 0;
    }
    this.#recent.set(key, entry);
    this.#recent_bytes += size_bytes;
  }
}

/**
 * Wraps the function that returns the finalized block of the nodes: when it goes back, they serve another
 * chain, of which nothing is known. It has to be called whenever a node may have reported another block.
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
