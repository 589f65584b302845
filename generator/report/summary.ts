import { severities, type Diagnostic, type Severity } from '../../common/diagnostic.ts';

/** How often a rule found something, at one severity. */
export interface RuleCount {
  readonly code: string;
  readonly severity: Severity;
  readonly count: number;
}

/** Counts diagnostics by severity and rule: the highest severity first, then the most frequent rule. */
export function countRules(
  diagnostics: readonly Pick<Diagnostic, 'code' | 'severity'>[],
): readonly RuleCount[] {
  const groups = Map.groupBy(diagnostics, ({ code, severity }) => `${severity} ${code}`);
  return [...groups.values()]
    .map((group) => ({ code: group[0]!.code, severity: group[0]!.severity, count: group.length }))
    .toSorted(
      (a, b) =>
        severities.indexOf(a.severity) - severities.indexOf(b.severity) || b.count - a.count,
    );
}

/** Up to this many diagnostics need no summary. */
const MAX_WITHOUT_SUMMARY = 10;

/** Maximum number of rules of a severity that are named; the others share a row. */
const MAX_NAMED = 6;

/** Returns a table of the counts, or "" where the diagnostics are few. */
export function renderSummary(
  diagnostics: readonly Pick<Diagnostic, 'code' | 'severity'>[],
): string {
  if (diagnostics.length <= MAX_WITHOUT_SUMMARY) return '';
  const bySeverity = Map.groupBy(countRules(diagnostics), ({ severity }) => severity);
  const rows = [...bySeverity.values()].flatMap((counts) => {
    const others = counts.slice(MAX_NAMED);
    // A row for a single rule names it.
    if (others.length < 2) return counts;
    const count = others.reduce((sum, each) => sum + each.count, 0);
    const { severity } = others[0]!;
    return [...counts.slice(0, MAX_NAMED), { code: `${others.length} others`, severity, count }];
  });
  const width = String(Math.max(...rows.map(({ count }) => count))).length;
  return rows
    .map(({ code, severity, count }) => {
      return `${String(count).padStart(width)}  ${severity.padEnd(7)}  ${code}`;
    })
    .join('\n');
}
