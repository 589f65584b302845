import { type Severity, severities } from '../../common/diagnostic.ts';
import type { LoadedDocument } from '../document.ts';
import { compareModels } from './compare/compare.ts';
import { fits, judge, type Judged } from './judge.ts';
import type { Strictness } from './kinds/kind.ts';
import type { Approval } from './settings.ts';
import { greatestBump, judgeVersion, type VersionVerdict } from './version.ts';

export interface Diff {
  /** The gravest first, then in the order of the document. */
  readonly changes: readonly Judged[];
  readonly version: VersionVerdict;
  /** Approvals of changes that there are, and whose time is over. */
  readonly expired: readonly Approval[];
  /** Approvals of changes that there are not. */
  readonly unused: readonly Approval[];
  readonly strictness: Strictness;
}

export interface DiffOptions {
  readonly strictness: Strictness;
  readonly approvals: readonly Approval[];
  /** The day that sunset dates and approvals are judged by: YYYY-MM-DD. */
  readonly today: string;
}

/** Compares two documents. */
export function diffDocuments(
  { old, new: fresh }: Readonly<Record<'old' | 'new', Pick<LoadedDocument, 'model'>>>,
  { strictness, approvals, today }: DiffOptions,
): Diff {
  const models = { old: old.model, new: fresh.model };
  const judgement = { old: old.model, strictness, approvals, today };
  const found = compareModels(models, { today }).map((change) => judge(change, judgement));
  const required = greatestBump(found.map(({ bump }) => bump));
  const version = judgeVersion(old.model.info.version, fresh.model.info.version, required);
  const all = [...found, ...version.changes.map((change) => judge(change, judgement))];
  const used = new Set(all.map(({ approval }) => approval));
  const idle = approvals.filter((approval) => !used.has(approval));
  const isExpired = (approval: Approval) =>
    approval.until < today && all.some((change) => fits(approval, change));
  return {
    changes: sortChanges(all),
    version,
    expired: idle.filter(isExpired),
    unused: idle.filter((approval) => !isExpired(approval)),
    strictness,
  };
}

function sortChanges(changes: readonly Judged[]): readonly Judged[] {
  const rank = (severity: Severity) => severities.indexOf(severity);
  return changes.toSorted((a, b) => rank(a.severity) - rank(b.severity));
}
