export interface CooldownOptions {
  readonly max_ms: number;
  /** Sends a probe, whose outcome is passed to `apply`. */
  readonly probe: () => void;
  readonly monotonic_ms: () => number;
  /** Called when a cooldown for all accounts starts. */
  readonly onStart: (cooldown_ms: number) => void;
}

const NEVER = Number.NEGATIVE_INFINITY;

/** The cooldown that a node asked for (`Retry-After`). */
interface Asked {
  readonly cooldown_ms?: number;
}

/**
 * The time a node has asked not to be called. If a node asks for it in response to a call, the call itself
 * may be the reason. The cooldown then applies only to the calling account, until the node also asks for
 * one in response to a call of a second account or to a probe.
 */
export class Cooldown {
  readonly #options: CooldownOptions;
  #ends_ms = NEVER;
  /** The only account with a cooldown of its own. */
  #account: string | undefined;
  #accountEnds_ms = NEVER;

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
    if (this.#accountEnds_ms === NEVER) return false;
    return account === this.#account && this.#options.monotonic_ms() < this.#accountEnds_ms;
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

  /** Starts the cooldown of an account if the outcome of its call asks for one. */
  applyFor(account = '', { cooldown_ms = 0 }: Asked): void {
    if (cooldown_ms <= 0 || this.isActive) return undefined;
    const { max_ms, monotonic_ms, probe } = this.#options;
    const left_ms = this.#accountEnds_ms - monotonic_ms();
    if (left_ms <= 0) {
      this.#account = account;
      this.#accountEnds_ms = monotonic_ms() + Math.min(cooldown_ms, max_ms);
      return probe();
    }
    // The cooldown that the node asked for in response to calls of both accounts.
    if (account !== this.#account) this.apply({ cooldown_ms: Math.min(cooldown_ms, left_ms) });
    return undefined;
  }
}
