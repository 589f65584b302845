export interface RestOptions {
  /** However long an upstream asks for. */
  readonly most_ms: number;
  readonly monotonic_ms: () => number;
  readonly onBegin: (rest_ms: number) => void;
}

/** An upstream is left alone for as long as it asks to be. */
export class Rest {
  readonly #options: RestOptions;
  #until_ms = Number.NEGATIVE_INFINITY;

  constructor(options: RestOptions) {
    this.#options = options;
  }

  get isOver(): boolean {
    return this.#options.monotonic_ms() >= this.#until_ms;
  }

  /** Heeds what came of a call; `rest_ms` is undefined when the upstream asked for nothing. */
  heed({ rest_ms }: { readonly rest_ms?: number }): void {
    if (rest_ms === undefined || rest_ms <= 0) return;
    const { most_ms, monotonic_ms, onBegin } = this.#options;
    const span_ms = Math.min(rest_ms, most_ms);
    const isNews = this.isOver;
    this.#until_ms = Math.max(this.#until_ms, monotonic_ms() + span_ms);
    if (isNews) onBegin(span_ms);
  }
}
