import type { Head, ProbeFailure } from '../probes.ts';

export interface HealthOptions {
  readonly probeHead: (signal: AbortSignal) => Promise<Head | ProbeFailure>;
  readonly probeFinalized: (signal: AbortSignal) => Promise<number | undefined>;
  /** Probes failed in a row after which an upstream is no longer fit. */
  readonly most_failures: number;
  readonly probes_per_finalized: number;
  readonly monotonic_ms: () => number;
  /** Told when fitness changes, and why it was lost. */
  readonly onChange: (isFit: boolean, detail: string) => void;
  /** Told of every answer to a probe. */
  readonly onHead: (head: Head) => void;
}

/** How much the last probe counts in the pace, beside those before. */
const WEIGHT = 0.2;
/** Probes closer together than this say nothing of a pace. */
const LEAST_S = 0.1;

/** Follows one upstream: it is fit once its head is known, until it no longer tells. */
export class Health {
  readonly #options: HealthOptions;
  #isFit = false;
  #isKnown = false;
  #failures = 0;
  #checks = 0;
  #head: Head | undefined;
  #headAt_ms = 0;
  #pace_per_s = 0;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  get isFit(): boolean {
    return this.#isFit;
  }

  /** As last told, however long ago. */
  get head(): Head | undefined {
    return this.#head;
  }

  get headAt_ms(): number {
    return this.#headAt_ms;
  }

  /** Blocks a second by which its head has gone forward of late. */
  get pace_per_s(): number {
    return this.#pace_per_s;
  }

  /** Asks once. Never rejects. */
  async check(signal: AbortSignal): Promise<void> {
    const { probeHead, probeFinalized, probes_per_finalized } = this.#options;
    const told = await probeHead(signal);
    if (signal.aborted) return undefined;
    if ('trouble' in told) return this.#fail(told.trouble);
    this.#measure(told);
    this.#succeed({ ...told, ...finalOf(this.#head) });
    const isTurn = this.#checks % probes_per_finalized === 0;
    this.#checks += 1;
    if (!isTurn) return undefined;
    const finalized = await probeFinalized(signal);
    if (finalized !== undefined && !signal.aborted) this.#note({ ...told, finalized });
    return undefined;
  }

  /** The connection is lost: there is nobody to ask before the next check succeeds. */
  lose(detail: string): void {
    this.#failures = this.#options.most_failures - 1;
    this.#fail(detail);
  }

  #measure({ number }: Head): void {
    if (this.#head === undefined) return;
    const passed_s = (this.#options.monotonic_ms() - this.#headAt_ms) / 1000;
    const pace_per_s = Math.max(0, number - this.#head.number) / Math.max(passed_s, LEAST_S);
    this.#pace_per_s += (pace_per_s - this.#pace_per_s) * WEIGHT;
  }

  #succeed(head: Head): void {
    this.#failures = 0;
    this.#note(head);
    const wasFit = this.#isFit;
    this.#isFit = true;
    this.#isKnown = true;
    if (!wasFit) this.#options.onChange(true, '');
  }

  #note(head: Head): void {
    this.#head = head;
    this.#headAt_ms = this.#options.monotonic_ms();
    this.#options.onHead(head);
  }

  #fail(detail: string): void {
    this.#failures += 1;
    const isEnough = this.#isFit && this.#failures >= this.#options.most_failures;
    const isNews = isEnough || !this.#isKnown;
    if (isEnough) this.#isFit = false;
    this.#isKnown = true;
    if (isNews) this.#options.onChange(false, detail);
  }
}

function finalOf(head: Head | undefined): Pick<Head, 'finalized'> {
  return head?.finalized === undefined ? {} : { finalized: head.finalized };
}
