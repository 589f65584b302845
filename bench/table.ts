import type { Row } from './rounds.ts';

const HEAD = ['', 'CPU µs/request', 'ratio', 'requests/s', 'ratio'];

/** The rows as text, each workload's ratios relative to the row called `measure`. */
export function renderTable(rows: readonly Row[], measure: string): string {
  const lines: string[][] = [];
  for (const workload of new Set(rows.map((row) => row.workload))) {
    const group = rows.filter((row) => row.workload === workload);
    const one = group.find(({ name }) => name === measure)!;
    lines.push([workload, ...HEAD.slice(1)]);
    for (const { name, cpu_us_per_request, requests_per_s } of group) {
      lines.push([
        `  ${name}`,
        format(cpu_us_per_request),
        (cpu_us_per_request / one.cpu_us_per_request).toFixed(2),
        format(requests_per_s),
        (requests_per_s / one.requests_per_s).toFixed(2),
      ]);
    }
    lines.push([]);
  }
  return formatRows(lines);
}

/** Lines of cells as text, in columns: the first to the left, the others to the right. */
export function formatRows(lines: readonly (readonly string[])[]): string {
  const columns = Math.max(...lines.map((line) => line.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!);
  return lines.map((line) => line.map(pad).join('   ').trimEnd()).join('\n');
}

function format(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 1000 ? 1 : 0 });
}
