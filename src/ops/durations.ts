import { exposeHead, exposeValue, type Described, type Family } from './exposition.ts';
import { childOf } from './tally.ts';

/** From a millisecond to the longest a call may take. */
const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Series {
  /** How many durations exceed the bound before, and not this one; the last exceed all. */
  readonly buckets: number[];
  sum_s: number;
}

/** A histogram of durations with one label or two; of its own for the reason `Tally` has. */
export class Durations implements Family {
  readonly described: Described;
  readonly #series = new Map<string, Map<string, Series>>();

  constructor(name: string, help: string, labelNames: readonly [string, string?]) {
    const names = labelNames.filter((label) => label !== undefined);
    this.described = { name, type: 'histogram', help, labelNames: names };
  }

  observe(duration_ms: number, first: string, second = ''): void {
    const children = childOf(this.#series, first);
    let series = children.get(second);
    if (series === undefined) {
      series = { buckets: Array.from({ length: BOUNDS_S.length + 1 }, () => 0), sum_s: 0 };
      children.set(second, series);
    }
    const seconds = duration_ms / 1000;
    let bucket = 0;
    while (bucket < BOUNDS_S.length && seconds > BOUNDS_S[bucket]!) bucket += 1;
    series.buckets[bucket]! += 1;
    series.sum_s += seconds;
  }

  render(): string {
    const lines = [exposeHead(this.described)];
    for (const [first, children] of this.#series) {
      for (const [second, series] of children) lines.push(...this.#lines([first, second], series));
    }
    return lines.join('\n');
  }

  #lines(values: readonly string[], { buckets, sum_s }: Series): string[] {
    const { name, labelNames } = this.described;
    const labels = Object.fromEntries(labelNames.map((label, index) => [label, values[index]!]));
    let count = 0;
    const lines = buckets.map((amount, index) => {
      count += amount;
      const le = index < BOUNDS_S.length ? String(BOUNDS_S[index]) : '+Inf';
      return exposeValue(`${name}_bucket`, { ...labels, le }, count);
    });
    lines.push(exposeValue(`${name}_sum`, labels, sum_s));
    lines.push(exposeValue(`${name}_count`, labels, count));
    return lines;
  }
}
