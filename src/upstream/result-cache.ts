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

/**
 * Keeps results in memory, up to a number of bytes. Entries are in two generations: when the newer one
 * would exceed half of the maximum, it becomes the older one, and the previous older one is dropped.
 * Reading an entry moves it to the newer one.
 */
export class ResultCache {
  readonly #max_bytes: number;
  #recent = new Map<string, CachedResult>();
  #older = new Map<string, CachedResult>();
  #recent_bytes = 0;
  #older_bytes = 0;
  #clears = 0;
  /** The hash of the latest miss in each slot. */
  readonly #misses = new Int32Array(MISSES);

  constructor(max_bytes: number) {
    this.#max_bytes = max_bytes;
  }

  get bytes(): number {
    return this.#recent_bytes + this.#older_bytes;
  }

  /** How many times the cache was cleared. A result requested before a clear must not be added after it. */
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

  set(key: string, { result, by }: Extract<NodeAnswer, { kind: 'result' }>): void {
    if (this.get(key) !== undefined) return;
    // A slice would keep the whole chunk that it was received in.
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
