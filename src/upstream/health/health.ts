import type { CancelSignal } from '../../time/cancellation.ts';
import type { StartTimer } from '../../time/timer.ts';
import type { Failure } from '../upstream.ts';
import type { Head } from './probes.ts';

export interface HealthOptions {
  readonly probeHead: (signal: CancelSignal) => Promise<Head | Failure>;
  readonly probeFinalized: (signal: CancelSignal) => Promise<number | undefined>;
  /** Consecutive failed probes that make a node unhealthy. */
  readonly max_failures: number;
  readonly probes_per_finalized: number;
  readonly monotonic_ms: () => number;
  readonly startTimer: StartTimer;
  /** Called with the reason when a node becomes unhealthy, and without one when it recovers. */
  readonly onChange: (isHealthy: boolean, detail: string) => void;
  /** Called after every successful probe. */
  readonly onHead: (head: Head) => void;
}

/** Weight of the last probe in the moving average of growth. */
const LAST_PROBE_WEIGHT = 0.2;
/** Shorter intervals between probes would distort the average. */
const MIN_INTERVAL_S = 0.1;
/** No chain grows faster: a larger jump means that a node is catching up, or that a response is wrong. */
const MAX_BLOCKS_PER_S = 100;

/** How long calls wait for a node that lost its connection. */
const RECONNECT_WAIT_MS = 2_000;

/** Probes a node. It is healthy once its head is known, until `max_failures` probes in a row have failed. */
export class Health {
  readonly #options: HealthOptions;
  #isHealthy = false;
  #isKnown = false;
  #failures = 0;
  #checks = 0;
  #head: Head | undefined;
  #headAt_ms = 0;
  #blocks_per_s = 0;
  #reconnected: Promise<void> | undefined;
  #endWait = (): void => undefined;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  get isHealthy(): boolean {
    return this.#isHealthy;
  }

  /** Resolves when the node is healthy again or 2 s have passed; undefined if it lost no connection recently. */
  get reconnected(): Promise<void> | undefined {
    return this.#reconnected;
  }

  /** The head from the last successful probe, however old. */
  get head(): Head | undefined {
    return this.#head;
  }

  get headAt_ms(): number {
    return this.#headAt_ms;
  }

  /** Recent growth of the head, without jumps. */
  get blocks_per_s(): number {
    return this.#blocks_per_s;
  }

  /** Probes once. Never rejects. */
  async check(signal: CancelSignal): Promise<void> {
    const { probeHead, probeFinalized, probes_per_finalized } = this.#options;
    const head = await probeHead(signal);
    if (signal.aborted) return undefined;
    if ('kind' in head) return this.#fail(head.detail);
    this.#measureGrowth(head);
    this.#succeed({ ...head, ...finalizedOf(this.#head, head.number) });
    const isTurn = this.#checks % probes_per_finalized === 0;
    this.#checks += 1;
    if (!isTurn) return undefined;
    const finalized = await probeFinalized(signal);
    if (finalized !== undefined && !signal.aborted) this.#setHead({ ...head, finalized });
    return undefined;
  }

  /** Makes the node unhealthy at once because its connection was lost. */
  lose(detail: string): void {
    if (this.#isHealthy) this.#awaitReconnect();
    this.#failures = this.#options.max_failures - 1;
    this.#fail(detail);
  }

  #awaitReconnect(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.startTimer(RECONNECT_WAIT_MS, () => this.#endWait());
    this.#reconnected = promise;
    this.#endWait = () => {
      cancel();
      this.#reconnected = undefined;
      this.#endWait = () => undefined;
      resolve();
    };
  }

  #measureGrowth({ number }: Head): void {
    if (this.#head === undefined) return;
    const passed_s = (this.#options.monotonic_ms() - this.#headAt_ms) / 1000;
    const growth = Math.max(0, number - this.#head.number) / Math.max(passed_s, MIN_INTERVAL_S);
    if (growth > MAX_BLOCKS_PER_S) return;
    this.#blocks_per_s += (growth - this.#blocks_per_s) * LAST_PROBE_WEIGHT;
  }

  #succeed(head: Head): void {
    this.#failures = 0;
    this.#setHead(head);
    const wasHealthy = this.#isHealthy;
    this.#isHealthy = true;
    this.#isKnown = true;
    this.#endWait();
    if (!wasHealthy) this.#options.onChange(true, '');
  }

  #setHead(head: Head): void {
    this.#head = head;
    this.#headAt_ms = this.#options.monotonic_ms();
    this.#options.onHead(head);
  }

  #fail(detail: string): void {
    this.#failures += 1;
    const isLost = this.#isHealthy && this.#failures >= this.#options.max_failures;
    const isFirst = !this.#isKnown;
    if (isLost) this.#isHealthy = false;
    this.#isKnown = true;
    if (isLost || isFirst) this.#options.onChange(false, detail);
  }
}

/** Returns the known finalized block, or the latest block if that is lower because the chain was reset. */
function finalizedOf(head: Head | undefined, latest: number): Pick<Head, 'finalized'> {
  return head?.finalized === undefined ? {} : { finalized: Math.min(head.finalized, latest) };
}
