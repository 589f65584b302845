import type { Location } from '../problem/location.ts';
import type { Problem } from '../problem/problem.ts';

export type Level = 'error' | 'warning' | 'info';

/** The levels, the gravest first. */
export const levels: readonly Level[] = ['error', 'warning', 'info'];

/** Something a rule has to say about a place in a document. */
export interface Finding extends Location {
  /** Id of the rule. */
  readonly rule: string;
  readonly level: Level;
  /** What is so, as one sentence without a full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}

/** The rule that a problem, which belongs to none, is told under. */
export const UNUSABLE = {
  id: 'unusable-document',
  title: 'The document can be read',
  level: 'error',
  help: 'The document could not be read, or is no OpenRPC document. Nothing else was looked at.',
  helpUri: 'https://spec.open-rpc.org/#openrpc-document',
} as const;

/** What makes a document unusable, as a finding. */
export function toFinding({ what, ...problem }: Problem): Finding {
  return { rule: UNUSABLE.id, level: UNUSABLE.level, message: what, ...problem };
}

/** The findings of each file from its top to its end, files in the order they come in. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  const files = [...new Set(findings.map(({ file }) => file))];
  const order = new Map(files.map((file, index) => [file, index]));
  return findings.toSorted(
    (a, b) =>
      order.get(a.file)! - order.get(b.file)! ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      levels.indexOf(a.level) - levels.indexOf(b.level),
  );
}

export type Counts = Readonly<Record<Level, number>>;

export function countLevels(findings: readonly Pick<Finding, 'level'>[]): Counts {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  return { error: count('error'), warning: count('warning'), info: count('info') };
}
