import type { StartTimer } from '../../time/timer.ts';
import type { PendingCalls } from './pending-calls.ts';

export interface HeadOfLineOptions {
  readonly isShared: boolean;
  readonly monotonic_ms: () => number;
  readonly startTimer: StartTimer;
  readonly calls: Pick<PendingCalls, 'size' | 'received' | 'lastAnswered' | 'oldest' | 'sentCalls'>;
  /** Whether a message has arrived and has not been read. One that has only begun blocks the connection. */
  readonly hasUnread: () => boolean;
  /** Sends a call without an account that a node answers at once. */
  readonly test: () => void;
  /** Other calls wait until the oldest one is answered. */
  readonly onBlocked: () => void;
  /** The calls of others wait behind those of this account, on which the node spends most of the time. */
  readonly onQueued: (account: string) => void;
}

/** Without any response for this many steps, a call is sent to test the connection. */
const STEP_MS = 100;
const TEST_STEPS = 3;

/** Without a response to that call for this many further steps, the connection is blocked. */
const BLOCKED_STEPS = 5;

/**
 * If a probe waits for so many steps while older calls are answered, and no newer one is, not even the test, it
 * waits in a queue of the connection. If the oldest call belonged to the same account at more than half of these
 * steps, that account fills the queue.
 */
const QUEUED_STEPS = TEST_STEPS + BLOCKED_STEPS;

/**
 * Time between two tests; doubled each time that the node answers one before an older call. While a probe waits
 * it is the minimum: the node may work on as many calls as it can, or the connection is blocked.
 */
const MIN_INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 60_000;

/**
 * Finds out whether calls on a connection wait behind a slow one. Some nodes answer the requests of a
 * connection one after the other, or begin a response before they have all of it, and reply to pings
 * meanwhile. Slow calls to a node that answers them concurrently look the same until it answers a call
 * sent after them.
 */
export class HeadOfLine {
  readonly #options: HeadOfLineOptions;
  #isRunning = false;
  #stopTimer: () => void = () => undefined;
  /** As of the last step. */
  #received = 0;
  #oldestId: string | undefined;
  /** Steps without a response. */
  #steps = 0;
  /** Steps without a response to the test. */
  #testSteps = 0;
  #isTesting = false;
  #testedAt_ms = Number.NEGATIVE_INFINITY;
  #interval_ms = MIN_INTERVAL_MS;
  #wasBlocked = false;
  /** The oldest probe, as of the last step. */
  #probeId: string | undefined;
  /** The account of the oldest call of all, at each step for which the probe has been waiting. */
  #oldestAccounts: (string | undefined)[] = [];

  constructor(options: HeadOfLineOptions) {
    this.#options = options;
  }

  /** Whether nothing has been answered since the connection was found to be blocked. */
  get isBlocked(): boolean {
    return this.#wasBlocked && this.#options.calls.received === this.#received;
  }

  /** Starts to check the calls, until none is left. */
  watch(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#stopTimer = this.#options.startTimer(STEP_MS, () => {
      this.#isRunning = false;
      if (this.#options.isShared) this.#watchProbe();
      this.#step();
      if (this.#options.calls.size > 0) this.watch();
    });
  }

  stop(): void {
    this.#stopTimer();
  }

  #watchProbe(): void {
    const { calls, onQueued } = this.#options;
    const probe = calls.sentCalls.find(({ account }) => account === undefined);
    const isWaiting = probe?.id !== undefined && probe.id === this.#probeId;
    const isOvertaken = isWaiting && calls.lastAnswered > Number(probe.id);
    this.#probeId = probe?.id;
    if (!isWaiting || isOvertaken) {
      this.#oldestAccounts = [];
      return;
    }
    // It is tested before more steps count.
    const isTestDue = this.#oldestAccounts.length === TEST_STEPS - 1;
    if (isTestDue && !this.#test(MIN_INTERVAL_MS)) return;
    this.#oldestAccounts.push(calls.oldest?.account);
    if (this.#oldestAccounts.length < QUEUED_STEPS) return;
    const account = majorityOf(this.#oldestAccounts);
    this.#oldestAccounts = [];
    if (account !== undefined) onQueued(account);
  }

  #step(): void {
    const { calls, hasUnread } = this.#options;
    const { oldest, received } = calls;
    const isSilent = received === this.#received && !hasUnread();
    if (!isSilent || oldest?.id !== this.#oldestId || !this.#isDelaying(oldest?.account)) {
      const isOvertaken = received !== this.#received && oldest?.id === this.#oldestId;
      if (this.#isTesting && isOvertaken)
        this.#interval_ms = Math.min(MAX_INTERVAL_MS, 2 * this.#interval_ms);
      this.#received = received;
      this.#oldestId = oldest?.id;
      this.#steps = 0;
      this.#testSteps = 0;
      this.#isTesting = false;
      this.#wasBlocked = false;
      return;
    }
    this.#steps += 1;
    if (this.#steps >= TEST_STEPS) this.#findBlock();
  }

  /** Whether other calls may wait behind one of this account; on its own connection, only the test does. */
  #isDelaying(account: string | undefined): boolean {
    const { isShared, calls } = this.#options;
    if (account === undefined) return false;
    return !isShared || calls.sentCalls.some((call) => call.account !== account);
  }

  #findBlock(): void {
    const { calls, onBlocked } = this.#options;
    const isProbeWaiting = calls.sentCalls.some(({ account }) => account === undefined);
    if (this.#isTesting && isProbeWaiting) {
      this.#testSteps += 1;
      if (this.#testSteps % BLOCKED_STEPS !== 0) return;
      this.#wasBlocked = true;
      this.#interval_ms = MIN_INTERVAL_MS;
      onBlocked();
    } else {
      this.#test(isProbeWaiting ? MIN_INTERVAL_MS : this.#interval_ms);
    }
  }

  /** Tests the connection, unless it was tested less than `interval_ms` ago. Returns whether it did. */
  #test(interval_ms: number): boolean {
    const { monotonic_ms, test } = this.#options;
    if (monotonic_ms() - this.#testedAt_ms < interval_ms) return false;
    this.#testedAt_ms = monotonic_ms();
    this.#isTesting = true;
    test();
    return true;
  }
}

/** Returns the element that is more than half of a list, if there is one. */
function majorityOf(accounts: readonly (string | undefined)[]): string | undefined {
  return accounts.find(
    (account) => 2 * accounts.filter((one) => one === account).length > accounts.length,
  );
}
