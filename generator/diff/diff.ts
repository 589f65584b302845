import { type Severity, severities } from '../../common/diagnostic.ts';
import { holdsWideIntegers, toBigInts } from '../../common/json/exact.ts';
import type { JsonObject } from '../../common/json/value.ts';
import { buildModel } from '../model/build.ts';
import type { Model } from '../model/model.ts';
import type { LoadedDocument } from '../document.ts';
import { compareModels } from './compare/compare.ts';
import type { Change } from './change.ts';
import { classify, experimentsOf, fits, kindLevels, type LevelOptions } from './classify.ts';
import { groupChanges, withoutEchoes, type GroupedChange } from './group.ts';
import type { Strictness } from './kinds/kind.ts';
import type { Approval } from './settings.ts';
import { greatestBump, classifyVersion, type VersionVerdict } from './version.ts';

export interface Diff {
  /** Highest severity first, then in the order of the document; the same change at several places once. */
  readonly changes: readonly GroupedChange[];
  readonly version: VersionVerdict;
  /** Expired approvals of changes that are still present. */
  readonly expired: readonly Approval[];
  /** Approvals that match no change. */
  readonly unused: readonly Approval[];
  readonly strictness: Strictness;
}

export interface DiffOptions extends Omit<LevelOptions, 'undecided'> {
  /** "warning" by default. */
  readonly undecided?: LevelOptions['undecided'];
  readonly approvals: readonly Approval[];
  /** The date that sunset dates and approvals are compared with: YYYY-MM-DD. */
  readonly today: string;
}

/** Compares two documents. */
export function diffDocuments(
  { old, new: fresh }: Readonly<Record<'old' | 'new', Pick<LoadedDocument, 'model'>>>,
  { strictness, approvals, today, undecided = 'warning', levels }: DiffOptions,
): Diff {
  const given = { old: old.model, new: fresh.model };
  // Integers beyond 2^53 are compared with all their digits.
  const isExact = Object.values(given).some(({ document }) => holdsWideIntegers(document));
  const models = isExact ? { old: withBigInts(old.model), new: withBigInts(fresh.model) } : given;
  const applied = kindLevels({ strictness, undecided, levels });
  const experiments = experimentsOf(old.model);
  const classifyAll = (changes: readonly Change[]) =>
    changes.flatMap(
      (change) => classify(change, { experiments, approvals, today, levels: applied }) ?? [],
    );
  const found = classifyAll(compareModels(models, { today, isExact }));
  const required = greatestBump(found.map(({ bump }) => bump));
  const version = classifyVersion(old.model.info.version, fresh.model.info.version, required);
  const all = [...found, ...classifyAll(version.changes)];
  const used = new Set(all.map(({ approval }) => approval));
  const idle = approvals.filter((approval) => !used.has(approval));
  const isExpired = (approval: Approval) =>
    approval.until < today && all.some((change) => fits(approval, change));
  return {
    changes: sortChanges(withoutEchoes(groupChanges(all))),
    version,
    expired: idle.filter(isExpired),
    unused: idle.filter((approval) => !isExpired(approval)),
    strictness,
  };
}

function withBigInts({ document, location }: Model): Model {
  return buildModel(toBigInts(document) as JsonObject, location);
}

function sortChanges(changes: readonly GroupedChange[]): readonly GroupedChange[] {
  const rank = (severity: Severity) => severities.indexOf(severity);
  return changes.toSorted((a, b) => rank(a.severity) - rank(b.severity));
}
