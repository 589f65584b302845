import { exposeHead, exposeValue } from './exposition.ts';

/**
 * A counter with two or three labels. Of its own because it counts every call: prom-client hashes
 * the labels each time, which costs more than all else that is recorded of a call.
 */
export class Tally {
  readonly #name: string;
  readonly #help: string;
  readonly #labelNames: readonly string[];
  readonly #counts = new Map<string, Map<string, Map<string, number>>>();

  constructor(name: string, help: string, labelNames: readonly string[]) {
    this.#name = name;
    this.#help = help;
    this.#labelNames = labelNames;
  }

  add(amount: number, labels: readonly [first: string, second: string, third?: string]): void {
    const [first, second, third = ''] = labels;
    const counts = childOf(childOf(this.#counts, first), second);
    counts.set(third, (counts.get(third) ?? 0) + amount);
  }

  render(): string {
    const lines = [exposeHead(this.#name, 'counter', this.#help)];
    for (const [first, seconds] of this.#counts) {
      for (const [second, thirds] of seconds) {
        for (const [third, value] of thirds) {
          const values = [first, second, third];
          const labels = this.#labelNames.map((label, index) => [label, values[index]!]);
          lines.push(exposeValue(this.#name, Object.fromEntries(labels), value));
        }
      }
    }
    return lines.join('\n');
  }
}

/** The map under `key`, made when it is missing. */
export function childOf<K, C extends Map<unknown, unknown>>(maps: Map<K, C>, key: K): C {
  let child = maps.get(key);
  if (child === undefined) {
    child = new Map() as C;
    maps.set(key, child);
  }
  return child;
}
