import type { ArtifactRow } from './artifacts.ts';
import type { ClientRow } from './clients.ts';
import type { ServerRow } from './servers.ts';

export interface Comparison {
  /** By the names of the packages. */
  readonly versions: Readonly<Record<string, string>>;
  readonly clients: readonly ClientRow[];
  readonly artifacts: readonly ArtifactRow[];
  readonly servers: readonly ServerRow[];
}

type Cells = readonly [what: string, ours: string, theirs: string];

/** Renders the whole comparison in columns. */
export function renderColumns(seen: Comparison): string {
  const rows: readonly Cells[] = [
    ['errors of tsc --strict in the client of', ...headOf(seen)],
    ...seen.clients.map(({ document, ours, theirs }): Cells => [`  ${document}`, ours, theirs]),
    ['', '', ''],
    ...summaryOf(seen),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('   '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Renders a summary as a Markdown table. */
export function renderMarkdown(seen: Comparison): string {
  const rows: readonly Cells[] = [['', ...headOf(seen)], ['---', '---', '---'], ...summaryOf(seen)];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function headOf({ versions }: Comparison): readonly [string, string] {
  const named = (name: string) => `${name} ${versions[name]}`;
  return [named('specgate'), `${named('@open-rpc/generator')}, ${named('@open-rpc/server-js')}`];
}

function summaryOf({ clients, artifacts, servers }: Comparison): readonly Cells[] {
  return [
    [
      `documents, of ${clients.length}, whose client compiles under strict`,
      countClean(clients.map(({ ours }) => ours)),
      countClean(clients.map(({ theirs }) => theirs)),
    ],
    ...artifacts.map(({ artifact, ours, theirs }): Cells => [artifact, ours, theirs]),
    ...servers.map(({ message, ours, theirs }): Cells => [`mock, sent ${message}`, ours, theirs]),
  ];
}

/** "9; else: 4 errors, out of memory" */
function countClean(outcomes: readonly string[]): string {
  const others = outcomes.filter((outcome) => outcome !== '0');
  const listed = others.map((outcome) =>
    /^\d+$/.test(outcome) ? `${outcome} error${outcome === '1' ? '' : 's'}` : outcome,
  );
  const clean = String(outcomes.length - others.length);
  return listed.length === 0 ? clean : `${clean}; else: ${listed.join(', ')}`;
}
