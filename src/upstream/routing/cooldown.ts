export interface CooldownOptions {
  readonly max_ms: number;
  /** Sends a probe, whose outcome is passed to `apply`. Never rejects. */
  readonly probe: () => Promise<unknown>;
  readonly monotonic_ms: () => number;
  /** Called when a cooldown for all accounts starts. */
  readonly onStart: (cooldown_ms: number) => void;
}

const NEVER = Number.NEGATIVE_INFINITY;

/** Maximum number of accounts with a cooldown of their own; beyond it, the oldest cooldown ends. */
const MAX_ACCOUNTS = 1_000;

/** The cooldown that a node asked for (`Retry-After`). */
interface Asked {
  readonly cooldown_ms?: number;
}

/**
 * The time a node has asked not to be called. If a node asks for it in response to a call, the call itself
 * may be the reason, as with a limit for one method, which calls of several accounts can reach. The cooldown
 * then applies only to the calling account, and to all accounts if the node also asks for one in response to
 * a probe.
 */
export class Cooldown {
  readonly #options: CooldownOptions;
  #ends_ms = NEVER;
  /** When the cooldowns of single accounts end, in the order of their start. */
  readonly #accountEnds_ms = new Map<string, number>();
  #isProbing = false;

  constructor(options: CooldownOptions) {
    this.#options = options;
  }

  /** Whether it holds for all accounts. */
  get isActive(): boolean {
    // Most nodes never ask for a cooldown: this check avoids reading the clock several times per call.
    return this.#ends_ms !== NEVER && this.#options.monotonic_ms() < this.#ends_ms;
  }

  isActiveFor(account = ''): boolean {
    if (this.isActive) return true;
    const ends_ms = this.#accountEnds_ms.get(account);
    return ends_ms !== undefined && this.#options.monotonic_ms() < ends_ms;
  }

  /** Starts or extends the cooldown for all accounts if the outcome of a probe asks for one. */
  apply({ cooldown_ms = 0 }: Asked): void {
    if (cooldown_ms <= 0) return;
    const { max_ms, monotonic_ms, onStart } = this.#options;
    const bounded_ms = Math.min(cooldown_ms, max_ms);
    const wasActive = this.isActive;
    this.#ends_ms = Math.max(this.#ends_ms, monotonic_ms() + bounded_ms);
    if (!wasActive) onStart(bounded_ms);
  }

  /** Starts the cooldown of an account if the outcome of its call asks for one, and probes the node. */
  applyFor(account = '', { cooldown_ms = 0 }: Asked): void {
    if (cooldown_ms <= 0 || this.isActiveFor(account)) return;
    const { max_ms, monotonic_ms } = this.#options;
    this.#removeEnded();
    this.#accountEnds_ms.set(account, monotonic_ms() + Math.min(cooldown_ms, max_ms));
    void this.#probe();
  }

  #removeEnded(): void {
    const now_ms = this.#options.monotonic_ms();
    for (const [account, ends_ms] of this.#accountEnds_ms) {
      if (ends_ms <= now_ms || this.#accountEnds_ms.size >= MAX_ACCOUNTS) {
        this.#accountEnds_ms.delete(account);
      }
    }
  }

  async #probe(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    await this.#options.probe();
    this.#isProbing = false;
  }
}
