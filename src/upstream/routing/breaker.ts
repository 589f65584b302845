import type { StartTimer } from '../../time/timer.ts';

/**
 * `closed`: calls pass; `open`: none passes; `half-open`: none passes while a probe is in progress. Until a
 * probe has failed, calls of accounts that the node does not keep failing pass in every state.
 */
export type BreakerState = 'closed' | 'open' | 'half-open';

/**
 * What an attempt shows about the node; `lost` when its connection was lost, which a call of another account
 * may have caused; `unknown` when the attempt was cut short.
 */
export type AttemptResult = 'success' | 'failure' | 'lost' | 'unknown';

export interface BreakerOptions {
  /** How many attempts are remembered, and how many failures among them open the breaker. */
  readonly attempts: number;
  readonly failures: number;
  /** How long the breaker stays open at first; doubles each time until a call succeeds, up to the maximum. */
  readonly open_ms: number;
  readonly max_open_ms: number;
  /** Sends a cheap call to the node; resolves to whether it was answered. Never rejects. */
  readonly probe: () => Promise<boolean>;
  /** Whether the node asked not to be called, which includes probes. */
  readonly isPaused: () => boolean;
  readonly startTimer: StartTimer;
  readonly random: () => number;
  readonly onChange: (state: BreakerState) => void;
  /** Called when an attempt has succeeded. */
  readonly onSuccess: () => void;
}

interface Attempt {
  readonly account: string;
  readonly result: 'success' | 'failure';
}

/** Maximum share of one account in the failures that open the breaker: its own calls may cause them. */
const MAX_ACCOUNT_SHARE = 1 / 2;

/** Maximum number of accounts whose consecutive failures are counted. */
const MAX_FAILED_ACCOUNTS = 1_000;

/**
 * A circuit breaker: stops calls to a node that keeps failing. Calls may themselves cause their failures, so
 * failures of one account make up at most half of those that open it; when an account has more, or connections
 * are lost, a probe decides. Until a probe fails too, only accounts that the node keeps failing are stopped.
 * Only a probe closes it.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #accountFailures: number;
  #state: BreakerState = 'closed';
  /** Oldest first. */
  #recent: Attempt[] = [];
  /** Consecutive failures by account, the account that failed last at the end. */
  readonly #failuresInRow = new Map<string, number>();
  /** Lost connections, and failures above the share of their account, since the last check. */
  #unproven = 0;
  #isChecking = false;
  #openings = 0;
  /** Whether a probe has failed since the breaker was last closed. */
  #isConfirmed = false;
  /** Number of state changes. Failures of attempts that started before the last one do not open it. */
  #epoch = 0;
  #cancelTrial: () => void = () => undefined;
  #isStopped = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
    this.#accountFailures = Math.floor(options.failures * MAX_ACCOUNT_SHARE);
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** Whether a call of an account passes. */
  allows(account = ''): boolean {
    if (this.#state === 'closed') return true;
    return !this.#isConfirmed && !this.failsFor(account);
  }

  /** Whether an account has at least as many consecutive failures as may count against the node. */
  failsFor(account = ''): boolean {
    return (this.#failuresInRow.get(account) ?? 0) >= Math.max(1, this.#accountFailures);
  }

  /** Starts an attempt. The returned function records its result; for a batch, it is called once per call. */
  start(account = ''): (result: AttemptResult) => void {
    const epoch = this.#epoch;
    return (result) => {
      if (result === 'unknown') return;
      const isCurrent = epoch === this.#epoch && this.#state === 'closed';
      if (result === 'lost') return isCurrent ? this.#countUnproven() : undefined;
      const attempt = { account, result };
      this.#countInRow(attempt);
      if (isCurrent) this.#record(attempt);
    };
  }

  /** Stops sending probes. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelTrial();
  }

  #record(attempt: Attempt): void {
    if (this.#isExcess(attempt)) return this.#countUnproven();
    this.#recent.push(attempt);
    if (this.#recent.length > this.#options.attempts) this.#recent.shift();
    if (attempt.result === 'success') return undefined;
    if (this.#count((each) => each.result !== 'success') < this.#options.failures) return undefined;
    return this.#open();
  }

  #countSuccess(): void {
    this.#openings = 0;
    this.#options.onSuccess();
  }

  #countInRow({ account, result }: Attempt): void {
    const failures = this.#failuresInRow.get(account) ?? 0;
    if (failures > 0) this.#failuresInRow.delete(account);
    if (result === 'success') return this.#countSuccess();
    this.#failuresInRow.set(account, failures + 1);
    if (this.#failuresInRow.size <= MAX_FAILED_ACCOUNTS) return undefined;
    const [oldest = ''] = this.#failuresInRow.keys();
    this.#failuresInRow.delete(oldest);
    return undefined;
  }

  #isExcess({ account, result }: Attempt): boolean {
    if (result === 'success') return false;
    const known = this.#count((each) => each.result === result && each.account === account);
    return known >= this.#accountFailures;
  }

  #count(matches: (attempt: Attempt) => boolean): number {
    return this.#recent.filter(matches).length;
  }

  #countUnproven(): void {
    this.#unproven += 1;
    const isDue = this.#unproven >= this.#options.failures - this.#accountFailures;
    if (!isDue || this.#isChecking || this.#isStopped || this.#options.isPaused()) return;
    this.#unproven = 0;
    void this.#check();
  }

  /** Opens if the node does not answer a probe either. */
  async #check(): Promise<void> {
    const epoch = this.#epoch;
    this.#isChecking = true;
    const isAnswered = await this.#options.probe();
    this.#isChecking = false;
    if (!isAnswered && epoch === this.#epoch && !this.#isStopped) this.#confirm();
  }

  #confirm(): void {
    this.#isConfirmed = true;
    this.#open();
  }

  /**
   * Opens the breaker. A quarter of the duration is random, so that many gateways do not return at the same
   * time.
   */
  #open(): void {
    const { open_ms, max_open_ms, random } = this.#options;
    const duration_ms = Math.min(max_open_ms, open_ms * 2 ** Math.min(this.#openings, 30));
    this.#openings += 1;
    this.#enter('open');
    this.#scheduleTrial(duration_ms * (0.75 + random() / 4));
  }

  #scheduleTrial(delay_ms: number): void {
    if (this.#isStopped) return;
    this.#cancelTrial = this.#options.startTimer(delay_ms, () => void this.#try());
  }

  async #try(): Promise<void> {
    const { open_ms, isPaused, probe } = this.#options;
    if (isPaused()) return this.#scheduleTrial(open_ms);
    this.#enter('half-open');
    const isAnswered = await probe();
    if (this.#isStopped) return undefined;
    if (!isAnswered) return this.#confirm();
    this.#isConfirmed = false;
    this.#recent = [];
    this.#unproven = 0;
    return this.#enter('closed');
  }

  #enter(state: BreakerState): void {
    this.#state = state;
    this.#epoch += 1;
    this.#options.onChange(state);
  }
}
