/** A response that is being buffered. */
export interface HeldResponse {
  readonly account: string;
  readonly held_bytes: number;
  /**
   * Discards the response, which then holds no bytes. `isOwn`: the responses of its account alone hold more
   * than half of what all may.
   */
  discard(isOwn: boolean): void;
}

/**
 * Bounds the bytes of all buffered responses of a node. Above the maximum, the account that holds the most
 * bytes loses its largest response, so that no account can cause the responses of other accounts to be
 * discarded.
 */
export class HeldBytes {
  readonly #max_bytes: number;
  readonly #responses = new Set<HeldResponse>();
  #bytes = 0;

  constructor(max_bytes: number) {
    this.#max_bytes = max_bytes;
  }

  /** Records a change in the bytes that a response holds, and forgets a response that holds 0 bytes. */
  change(response: HeldResponse, change_bytes: number): void {
    if (change_bytes === 0) return;
    this.#bytes += change_bytes;
    if (response.held_bytes > 0) this.#responses.add(response);
    else this.#responses.delete(response);
    if (change_bytes > 0 && this.#bytes > this.#max_bytes) this.#discardLargest();
  }

  #discardLargest(): void {
    const byAccount = new Map<string, number>();
    for (const { account, held_bytes } of this.#responses) {
      byAccount.set(account, (byAccount.get(account) ?? 0) + held_bytes);
    }
    const ofAccount = ({ account }: HeldResponse): number => byAccount.get(account)!;
    const [largest] = [...this.#responses].toSorted(
      (a, b) => ofAccount(b) - ofAccount(a) || b.held_bytes - a.held_bytes,
    );
    largest?.discard(ofAccount(largest) > this.#max_bytes / 2);
  }
}
