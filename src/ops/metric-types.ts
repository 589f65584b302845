type Labels = Readonly<Record<string, string>>;

/** A metric that renders itself in the Prometheus text format, version 0.0.4. */
export interface Metric {
  readonly described: MetricDescription;
  /** Returns the lines of the metric, without a line break at the end. */
  render(): string;
}

export interface MetricDescription {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** A current value, and the values of its labels in the order of the metric's `labelNames`. */
export type Sample = readonly [value: number, ...labels: string[]];

/** A gauge or counter (a name that ends in `_total`) whose samples are read at each scrape. */
export class ObservedMetric implements Metric {
  readonly described: MetricDescription;
  readonly #read: () => Iterable<Sample>;

  constructor(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => Iterable<Sample>,
  ) {
    const type = name.endsWith('_total') ? 'counter' : 'gauge';
    this.described = { name, type, help, labelNames };
    this.#read = read;
  }

  render(): string {
    return renderSamples(this.described, this.#read());
  }
}

/**
 * A counter with up to three labels. Replaces the one of prom-client, which hashes the labels on every
 * increment and so costs more than everything else that is recorded about a call.
 */
export class Counter implements Metric {
  readonly described: MetricDescription;
  readonly #counts = new Map<string, Map<string, Map<string, number>>>();

  constructor(name: string, help: string, labelNames: readonly string[] = []) {
    this.described = { name, type: 'counter', help, labelNames };
    // Without labels it is exposed as 0 from the start, so that Prometheus sees the first increase.
    if (labelNames.length === 0) this.add(0);
  }

  add(amount: number, first = '', second = '', third = ''): void {
    const counts = childOf(childOf(this.#counts, first), second);
    counts.set(third, (counts.get(third) ?? 0) + amount);
  }

  render(): string {
    return renderSamples(this.described, this.#samples());
  }

  *#samples(): Iterable<Sample> {
    for (const [first, seconds] of this.#counts) {
      for (const [second, thirds] of seconds) {
        for (const [third, value] of thirds) yield [value, first, second, third];
      }
    }
  }
}

/** Upper bounds of the buckets, up to the default timeout of a call. */
const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Series {
  /** Number of durations in each bucket; the last bucket has those above all bounds. */
  readonly buckets: number[];
  sum_s: number;
}

/** A histogram of durations with one or two labels; replaces that of prom-client, as `Counter` does. */
export class DurationHistogram implements Metric {
  readonly described: MetricDescription;
  readonly #series = new Map<string, Map<string, Series>>();

  constructor(name: string, help: string, labelNames: readonly string[]) {
    this.described = { name, type: 'histogram', help, labelNames };
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
    const lines = [renderHead(this.described)];
    for (const [first, children] of this.#series) {
      for (const [second, series] of children) lines.push(...this.#lines([first, second], series));
    }
    return lines.join('\n');
  }

  #lines(values: readonly string[], { buckets, sum_s }: Series): string[] {
    const { name, labelNames } = this.described;
    const labels = nameLabels(labelNames, values);
    let count = 0;
    const lines = buckets.map((amount, index) => {
      count += amount;
      const le = index < BOUNDS_S.length ? String(BOUNDS_S[index]) : '+Inf';
      return renderSample(`${name}_bucket`, { ...labels, le }, count);
    });
    lines.push(renderSample(`${name}_sum`, labels, sum_s));
    lines.push(renderSample(`${name}_count`, labels, count));
    return lines;
  }
}

function renderSamples(described: MetricDescription, samples: Iterable<Sample>): string {
  const lines = [renderHead(described)];
  for (const [value, ...labels] of samples) {
    lines.push(renderSample(described.name, nameLabels(described.labelNames, labels), value));
  }
  return lines.join('\n');
}

function renderHead({ name, type, help }: MetricDescription): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}`;
}

function renderSample(name: string, labels: Labels, value: number): string {
  const list = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return list.length === 0 ? `${name} ${value}` : `${name}{${list.join(',')}} ${value}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function nameLabels(names: readonly string[], values: readonly string[]): Labels {
  return Object.fromEntries(names.map((name, index) => [name, values[index]!]));
}

function childOf<K, C extends Map<unknown, unknown>>(maps: Map<K, C>, key: K): C {
  let child = maps.get(key);
  if (child === undefined) {
    child = new Map() as C;
    maps.set(key, child);
  }
  return child;
}
