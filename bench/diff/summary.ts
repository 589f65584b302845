import { newTally, type Tally } from './tally.ts';

const COLUMNS = ['applied', 'breaking', 'found', 'policy', 'falseAlarms', 'undecided'] as const;

/** A row for each mutation. */
export function renderTallies(tallies: readonly Tally[]): string {
  const width = Math.max(...tallies.map(({ name, group }) => `${group}: ${name}`.length));
  const head = `${'mutation'.padEnd(width)}  ${COLUMNS.join('  ')}`;
  const rows = tallies.map((tally) => {
    const cells = COLUMNS.map((column) => String(tally[column]).padStart(column.length));
    const figures = cells.join('  ');
    return `${`${tally.group}: ${tally.name}`.padEnd(width)}  ${figures}`;
  });
  return [head, ...rows].join('\n');
}

type Sums = Readonly<Record<(typeof COLUMNS)[number], number>>;

function sumsOf(tallies: readonly Tally[]): Sums {
  return Object.fromEntries(
    COLUMNS.map((column) => [column, tallies.reduce((total, tally) => total + tally[column], 0)]),
  ) as Sums;
}

/** Returns the share of breaking changes that are errors, or are not by policy, in percent. */
function recallOf({ breaking, found, policy }: Sums): string {
  return (breaking === 0 ? 100 : (100 * (found + policy)) / breaking).toFixed(2);
}

/** Returns the breaking share of reported changes, in percent. */
function precisionOf({ found, falseAlarms }: Sums): string {
  const alarms = found + falseAlarms;
  return (alarms === 0 ? 100 : (100 * found) / alarms).toFixed(2);
}

/** Summarizes all mutations: recall, precision and false alarms. */
export function summarize(tallies: readonly Tally[]) {
  const sums = sumsOf(tallies);
  const { applied, breaking, found, policy, falseAlarms, undecided } = sums;
  const text =
    `${applied} applied, ${breaking} of them breaking: ${found} errors, ${policy} by policy, ` +
    `recall ${recallOf(sums)} %, ` +
    `precision ${precisionOf(sums)} %, ${falseAlarms} false alarms, ${undecided} undecided`;
  return { missed: breaking - found - policy, falseAlarms, text };
}

/** The tallies of a document. */
export interface DocumentTallies {
  readonly name: string;
  readonly tallies: readonly Tally[];
}

/** A row of Markdown for each document, and one for all of them. */
export function renderDocuments(documents: readonly DocumentTallies[]): string {
  const all = { name: 'all', tallies: documents.flatMap(({ tallies }) => tallies) };
  const rows = [...documents, all].map(({ name, tallies }) => {
    const sums = sumsOf(tallies);
    const { applied, breaking, found, policy, undecided } = sums;
    const shares = [recallOf(sums), precisionOf(sums)];
    const cells = [name, applied, breaking, found, policy, ...shares, undecided];
    return `| ${cells.join(' | ')} |`;
  });
  const head =
    '| document | mutations | breaking | errors | by policy | recall, % | precision, % | undecided |';
  return [head, '| --- | --: | --: | --: | --: | --: | --: | --: |', ...rows].join('\n');
}

/** One tally for each mutation, of all documents together. */
export function mergeTallies(documents: readonly DocumentTallies[]): readonly Tally[] {
  const merged = new Map<string, Tally>();
  for (const { tallies } of documents) {
    for (const tally of tallies) {
      const key = `${tally.group} ${tally.name}`;
      const sum = merged.get(key) ?? newTally(tally.name, tally.group);
      merged.set(key, sum);
      for (const column of COLUMNS) sum[column] += tally[column];
      sum.failures.push(...tally.failures);
    }
  }
  return [...merged.values()];
}
