import type { Tally } from './tally.ts';

const COLUMNS = ['applied', 'breaking', 'found', 'falseAlarms', 'undecided'] as const;

/** A row for each mutation. */
export function renderTallies(tallies: readonly Tally[]): string {
  const width = Math.max(...tallies.map(({ name, group }) => `${group}: ${name}`.length));
  const head = `${'mutation'.padEnd(width)}  applied  breaking  found  false alarms  undecided`;
  const rows = tallies.map((tally) => {
    const cells = [tally.applied, tally.breaking, tally.found, tally.falseAlarms, tally.undecided];
    const widths = [7, 8, 5, 12, 9];
    const figures = cells.map((cell, index) => String(cell).padStart(widths[index]!)).join('  ');
    return `${`${tally.group}: ${tally.name}`.padEnd(width)}  ${figures}`;
  });
  return [head, ...rows].join('\n');
}

export interface Summary {
  readonly missed: number;
  readonly falseAlarms: number;
  readonly text: string;
}

/** All mutations together: recall of what breaks, alarms about what does not. */
export function summarise(tallies: readonly Tally[]): Summary {
  const sum = Object.fromEntries(
    COLUMNS.map((column) => [column, tallies.reduce((total, tally) => total + tally[column], 0)]),
  ) as Record<(typeof COLUMNS)[number], number>;
  const missed = sum.breaking - sum.found;
  const recall = sum.breaking === 0 ? 100 : (100 * sum.found) / sum.breaking;
  const alarms = sum.found + sum.falseAlarms;
  const precision = alarms === 0 ? 100 : (100 * sum.found) / alarms;
  const text =
    `${sum.applied} applied, ${sum.breaking} of them break: recall ${recall.toFixed(2)} %, ` +
    `precision ${precision.toFixed(2)} %, ${sum.falseAlarms} false alarms, ${sum.undecided} undecided`;
  return { missed, falseAlarms: sum.falseAlarms, text };
}
