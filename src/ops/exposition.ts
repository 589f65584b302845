export type Labels = Readonly<Record<string, string>>;

/** Head of a metric in the Prometheus text format, version 0.0.4. */
export function exposeHead(name: string, type: 'counter' | 'histogram', help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}`;
}

/** One value of a metric in the same format. */
export function exposeValue(name: string, labels: Labels, value: number): string {
  const list = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}{${list.join(',')}} ${value}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
