interface Holder {
  readonly bytes: number;
  readonly cut: () => void;
}

/**
 * Large answers that lie in memory until their callers have taken them: together within a bound.
 * Where a new one has no room, those that have been waiting longest are cut off: whoever reads at
 * all has taken his long before.
 */
export class UnsentAnswers {
  readonly #most_bytes: number;
  readonly #holders = new Set<Holder>();
  #bytes = 0;

  constructor(most_bytes: number) {
    this.#most_bytes = most_bytes;
  }

  /** Bytes that lie here now; more than may be only for a single answer. */
  get bytes(): number {
    return this.#bytes;
  }

  /** `cut` ends a caller's connection; the function given back is called when all is sent, or lost. */
  hold(bytes: number, cut: () => void): () => void {
    for (const holder of this.#holders) {
      if (this.#bytes + bytes <= this.#most_bytes) break;
      this.#drop(holder);
      holder.cut();
    }
    const holder = { bytes, cut };
    this.#holders.add(holder);
    this.#bytes += bytes;
    return () => this.#drop(holder);
  }

  #drop(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#bytes -= holder.bytes;
  }
}
