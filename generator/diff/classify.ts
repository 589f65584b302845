import type { Severity } from '../../common/diagnostic.ts';
import type { Change } from './change.ts';
import type { Bump, Kind, Strictness } from './kinds/kind.ts';
import { levelsOf, type Levels, type RuleLevels } from '../levels/levels.ts';
import { kindOf, kinds, type KindId } from './kinds/index.ts';
import type { MethodModel, Model } from '../model/model.ts';
import type { Approval } from './settings.ts';

/** A change with its severity and version step. */
export interface ClassifiedChange extends Change {
  readonly row: Kind;
  readonly severity: Severity;
  readonly bump: Bump;
  /** Why the severity differs from that of the kind: the approval, or the method's stability. */
  readonly note: string | null;
  readonly approval: Approval | null;
}

interface ClassifyOptions {
  /** Names of the experimental methods of the older document. */
  readonly experiments: ReadonlySet<string>;
  readonly levels: KindLevels;
  readonly approvals: readonly Approval[];
  /** The date approvals are compared with: YYYY-MM-DD. */
  readonly today: string;
}

/** Settings that decide the level of each kind of change. */
export interface LevelOptions {
  readonly strictness: Strictness;
  /** The severity of undecided comparisons. */
  readonly undecided: 'error' | 'warning';
  /** Levels that replace those of the table. */
  readonly levels?: Levels | undefined;
}

export type KindLevels = ReadonlyMap<KindId, RuleLevels>;

export function kindLevels({ strictness, undecided, levels = {} }: LevelOptions): KindLevels {
  return new Map(
    kinds.map((row) => {
      const level = isUndecidedKind(row.id) ? undecided : row.levels[strictness];
      return [row.id, levelsOf(row.id, { level, options: {} }, levels)];
    }),
  );
}

/**
 * Classifies a change by its kind, its approval and the stability of its methods; null if its level is
 * "off".
 */
export function classify(change: Change, options: ClassifyOptions): ClassifiedChange | null {
  const row = kindOf(change.kind);
  const pointers = [change.old, change.new].filter((pointer) => pointer !== null);
  const { methods } = change;
  const severity = options.levels.get(row.id)!.at({ methods, pointers }).level;
  if (severity === 'off') return null;
  const isBreak = severity === 'error' && !isUndecided(change);
  const bump = isBreak ? 'major' : row.bump === 'major' ? 'minor' : row.bump;
  const common = { ...change, row, approval: null, note: null };
  if (severity === 'info') return { ...common, severity, bump };
  const approval = options.approvals.find(
    (each) => each.until >= options.today && fits(each, change),
  );
  if (approval !== undefined) {
    const note = `approved until ${approval.until}: ${approval.reason}`;
    return { ...common, severity: 'info', bump: 'minor', approval, note };
  }
  const isExperiment = methods.length > 0 && methods.every((name) => options.experiments.has(name));
  if (severity === 'error' && isExperiment) {
    const note = 'the method is experimental and may change';
    return { ...common, severity: 'warning', bump: 'minor', note };
  }
  return { ...common, severity, bump };
}

/** Returns whether a change is an undecided comparison. */
export function isUndecided({ kind }: Pick<Change, 'kind'>): boolean {
  return isUndecidedKind(kind);
}

/** Returns whether a kind is for undecided comparisons. */
export function isUndecidedKind(kind: KindId): boolean {
  return kind.endsWith('-undecided');
}

/** Returns whether an approval, expired or not, is about a change. */
export function fits({ kind, method, pointer }: Approval, change: Change): boolean {
  const isBelow = (place: string | null) =>
    place !== null && (place === pointer || place.startsWith(`${pointer}/`));
  return (
    kind === change.kind &&
    (method === undefined || change.methods.includes(method)) &&
    (pointer === undefined || isBelow(change.old) || isBelow(change.new))
  );
}

/** Returns the names of the methods that are experimental. */
export function experimentsOf({ methods }: Model): ReadonlySet<string> {
  const isExperiment = ({ extensions }: MethodModel) =>
    extensions['x-stability'] === 'experimental';
  return new Set(methods.filter(isExperiment).map(({ name }) => name));
}
