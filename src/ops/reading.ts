import {
  exposeHead,
  exposeValue,
  type Described,
  type Family,
  type MetricType,
} from './exposition.ts';

/** A value as it is now, with the values of its labels in the order of their names. */
export type Sample = readonly [value: number, ...labels: string[]];

/** A metric that is read when it is asked for: it costs nothing in between. */
export class Reading implements Family {
  readonly described: Described;
  readonly #read: () => Iterable<Sample>;

  constructor(
    { type = 'gauge', labelNames = [], ...told }: ReadingTerms,
    read: () => Iterable<Sample>,
  ) {
    this.described = { type, labelNames, ...told };
    this.#read = read;
  }

  render(): string {
    const { name, labelNames } = this.described;
    const lines = [exposeHead(this.described)];
    for (const [value, ...labels] of this.#read()) {
      const named = labelNames.map((label, index) => [label, labels[index]!]);
      lines.push(exposeValue(name, Object.fromEntries(named), value));
    }
    return lines.join('\n');
  }
}

export interface ReadingTerms {
  readonly name: string;
  readonly help: string;
  /** A gauge unless told otherwise. */
  readonly type?: Extract<MetricType, 'gauge' | 'counter'>;
  readonly labelNames?: readonly string[];
}
