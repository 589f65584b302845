import type { Answerer, NodeAnswer } from './upstream.ts';

export interface CachedResult {
  readonly kind: 'result';
  readonly result: Buffer;
  readonly by?: Answerer;
}

/** What an entry takes in memory beside its key and its result. */
const ENTRY_BYTES = 300;

/** Results in memory, up to a number of bytes. The least recently used are evicted first. */
export class ResultCache {
  readonly #max_bytes: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, CachedResult>();
  #bytes = 0;

  constructor(max_bytes: number) {
    this.#max_bytes = max_bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get entries(): number {
    return this.#entries.size;
  }

  get(key: string): CachedResult | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  set(key: string, { result, by }: Extract<NodeAnswer, { kind: 'result' }>): void {
    this.#delete(key);
    // A slice would keep the whole chunk it was received in.
    const copy = Buffer.allocUnsafeSlow(result.length);
    result.copy(copy);
    this.#entries.set(key, { kind: 'result', result: copy, ...(by && { by }) });
    this.#bytes += sizeOf(key, result);
    while (this.#bytes > this.#max_bytes) this.#delete(this.#entries.keys().next().value!);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= sizeOf(key, entry.result);
  }
}

function sizeOf(key: string, result: Buffer): number {
  return ENTRY_BYTES + key.length + result.length;
}
