import type { Head, ProbeFailure, Probes } from './probes.ts';
import type { Upstream } from './upstream.ts';

export interface HealthOptions {
  readonly probes: Probes;
  readonly upstream: Upstream;
  /** Probes failed in a row after which an upstream is no longer fit. */
  readonly most_failures: number;
  /** Whether an upstream of this identity belongs to the network. */
  readonly belongs: (identity: string) => boolean;
  /** Told when fitness changes, and why it was lost. */
  readonly onChange: (isFit: boolean, detail: string) => void;
}

/** Follows one upstream: it is fit once it has proved its identity and its head is known. */
export class Health {
  readonly #options: HealthOptions;
  #verified = false;
  #failures = 0;
  #head: Head | undefined;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** Undefined while unfit. */
  get head(): Head | undefined {
    return this.#head;
  }

  /** Asks once; an upstream that was unfit proves its identity again first. Never rejects. */
  async check(signal: AbortSignal): Promise<void> {
    const { probes, upstream, belongs } = this.#options;
    if (!this.#verified) {
      const identity = await probes.identity(upstream, signal);
      if (signal.aborted) return undefined;
      if (typeof identity !== 'string') return this.#fail(identity);
      if (!belongs(identity)) return this.#fail({ trouble: `it is of another chain: ${identity}` });
      this.#verified = true;
    }
    const head = await probes.head(upstream, signal);
    if (signal.aborted) return undefined;
    if ('trouble' in head) return this.#fail(head);
    this.#failures = 0;
    const wasFit = this.#head !== undefined;
    this.#head = head;
    if (!wasFit) this.#options.onChange(true, '');
    return undefined;
  }

  #fail({ trouble }: ProbeFailure): void {
    this.#failures += 1;
    const isNews = this.#head !== undefined || this.#failures === 1;
    if (this.#head !== undefined && this.#failures < this.#options.most_failures) return;
    this.#head = undefined;
    this.#verified = false;
    if (isNews) this.#options.onChange(false, trouble);
  }
}
