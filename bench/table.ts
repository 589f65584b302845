import type { Row } from './rounds.ts';

const HEAD = ['', 'CPU µs/request', 'ratio', 'requests/s', 'ratio'];

/** Renders the rows, with ratios to the row called `baseline` of the same workload. */
export function renderTable(rows: readonly Row[], baseline: string): string {
  const lines: string[][] = [];
  for (const workload of new Set(rows.map((row) => row.workload))) {
    const group = rows.filter((row) => row.workload === workload);
    const one = group.find(({ name }) => name === baseline)!;
    lines.push([workload, ...HEAD.slice(1)]);
    for (const { name, cpu_us_per_request, requests_per_s } of group) {
      lines.push([
        `  ${name}`,
        formatFigure(cpu_us_per_request),
        (cpu_us_per_request / one.cpu_us_per_request).toFixed(2),
        formatFigure(requests_per_s),
        (requests_per_s / one.requests_per_s).toFixed(2),
      ]);
    }
    lines.push([]);
  }
  return formatRows(lines);
}

/** Renders rows of cells in columns: the first aligned to the left, the others to the right. */
export function formatRows(lines: readonly (readonly string[])[]): string {
  const columns = Math.max(...lines.map((line) => line.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!);
  return lines.map((line) => line.map(pad).join('   ').trimEnd()).join('\n');
}

/** A number with thousands separators. */
export function format(value: number, digits = 0): string {
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

const formatFigure = (value: number): string => format(value, value < 1000 ? 1 : 0);
