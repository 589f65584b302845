import { exposeHead, exposeValue } from './exposition.ts';
import { childOf } from './tally.ts';

/** From a millisecond to the longest a call may take. */
const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Series {
  /** How many durations exceed the bound before, and not this one; the last exceed all. */
  readonly buckets: number[];
  sum_s: number;
}

/** A histogram of durations by network and method; of its own for the reason `Tally` has. */
export class Durations {
  readonly #name: string;
  readonly #help: string;
  readonly #series = new Map<string, Map<string, Series>>();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  observe(duration_ms: number, network: string, method: string): void {
    const methods = childOf(this.#series, network);
    let series = methods.get(method);
    if (series === undefined) {
      series = { buckets: Array.from({ length: BOUNDS_S.length + 1 }, () => 0), sum_s: 0 };
      methods.set(method, series);
    }
    const seconds = duration_ms / 1000;
    let bucket = 0;
    while (bucket < BOUNDS_S.length && seconds > BOUNDS_S[bucket]!) bucket += 1;
    series.buckets[bucket]! += 1;
    series.sum_s += seconds;
  }

  render(): string {
    const lines = [exposeHead(this.#name, 'histogram', this.#help)];
    for (const [network, methods] of this.#series) {
      for (const [method, series] of methods)
        lines.push(...this.#lines({ network, method }, series));
    }
    return lines.join('\n');
  }

  #lines(labels: { network: string; method: string }, { buckets, sum_s }: Series): string[] {
    let count = 0;
    const lines = buckets.map((amount, index) => {
      count += amount;
      const le = index < BOUNDS_S.length ? String(BOUNDS_S[index]) : '+Inf';
      return exposeValue(`${this.#name}_bucket`, { ...labels, le }, count);
    });
    lines.push(exposeValue(`${this.#name}_sum`, labels, sum_s));
    lines.push(exposeValue(`${this.#name}_count`, labels, count));
    return lines;
  }
}
