import { ratioOf, type MeasuredRow } from './figures.ts';
import type { Sample } from './measure.ts';
import { median, type Spread } from './rounds.ts';

const HEAD = ['CPU µs/request', 'ratio', 'lowest–highest', 'requests/s', 'p50 ms', 'p99 ms'];

/** Renders medians, and the ratio of the CPU time to that of each row's baseline. */
export function renderTable(
  rows: readonly MeasuredRow[],
  baselineOf: (row: MeasuredRow) => MeasuredRow | undefined,
): string {
  const lines: string[][] = [];
  let last = '';
  for (const row of rows) {
    const { workload, connections, name, samples } = row;
    const title = `${workload}, ${connections} connection${connections === 1 ? '' : 's'}`;
    if (title !== last) lines.push(...(last === '' ? [] : [[]]), [title, ...HEAD]);
    last = title;
    const of = (figure: keyof Sample): number => median(samples.map((sample) => sample[figure]));
    const baseline = baselineOf(row);
    const ratio = baseline && ratioOf(row, baseline, 'cpu_us_per_request');
    lines.push([
      `  ${name}`,
      formatFigure(of('cpu_us_per_request')),
      ratio === undefined ? '' : ratio.median.toFixed(2),
      ratio === undefined ? '' : formatRange(ratio),
      formatFigure(of('requests_per_s')),
      of('p50_ms').toFixed(2),
      of('p99_ms').toFixed(2),
    ]);
  }
  return formatRows(lines);
}

const formatRange = ({ min, max }: Spread): string => `${min.toFixed(2)}–${max.toFixed(2)}`;

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
