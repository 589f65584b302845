export type Labels = Readonly<Record<string, string>>;

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** A metric that can be written down in the Prometheus text format, version 0.0.4. */
export interface Family {
  /** Its name, kind and what it tells; for documentation that is held to it. */
  readonly described: Described;
  /** Without a line break at the end. */
  render(): string;
}

export interface Described {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** Head of a metric. */
export function exposeHead({ name, type, help }: Omit<Described, 'labelNames'>): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}`;
}

/** One value of a metric. */
export function exposeValue(name: string, labels: Labels, value: number): string {
  const list = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return list.length === 0 ? `${name} ${value}` : `${name}{${list.join(',')}} ${value}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
