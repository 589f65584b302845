import { exposeHead, exposeValue, type Described, type Family } from './exposition.ts';

/**
 * A counter with up to three labels. Of its own because it counts every call: prom-client hashes
 * the labels each time, which costs more than all else that is recorded of a call.
 */
export class Tally implements Family {
  readonly described: Described;
  readonly #counts = new Map<string, Map<string, Map<string, number>>>();

  constructor(name: string, help: string, labelNames: readonly string[] = []) {
    this.described = { name, type: 'counter', help, labelNames };
    // A counter without labels is there from the start, so that its rate is known.
    if (labelNames.length === 0) this.add(0);
  }

  add(amount: number, first = '', second = '', third = ''): void {
    const counts = childOf(childOf(this.#counts, first), second);
    counts.set(third, (counts.get(third) ?? 0) + amount);
  }

  render(): string {
    const { name, labelNames } = this.described;
    const lines = [exposeHead(this.described)];
    for (const [first, seconds] of this.#counts) {
      for (const [second, thirds] of seconds) {
        for (const [third, value] of thirds) {
          const values = [first, second, third];
          const labels = labelNames.map((label, index) => [label, values[index]!]);
          lines.push(exposeValue(name, Object.fromEntries(labels), value));
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
