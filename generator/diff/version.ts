import semver from 'semver';
import { reportAt, type Change } from './change.ts';
import type { KindId } from './kinds/index.ts';
import type { Bump } from './kinds/kind.ts';

const ORDER: readonly Bump[] = ['none', 'patch', 'minor', 'major'];

/** Returns the greatest of several version steps. */
export function greatestBump(bumps: readonly Bump[]): Bump {
  return ORDER.findLast((bump) => bumps.includes(bump)) ?? 'none';
}

export interface VersionVerdict {
  readonly old: string;
  readonly new: string;
  /** The step that the changes require. */
  readonly required: Bump;
  /** The lowest sufficient version; null if the older one does not follow semver. */
  readonly lowest: string | null;
  readonly changes: readonly Change[];
}

/**
 * Compares `info.version` with the changes (https://semver.org): breaking changes require a new major
 * or, below 1.0.0, where nothing is promised yet, a new minor.
 */
export function classifyVersion(old: string, fresh: string, required: Bump): VersionVerdict {
  const from = semver.parse(old);
  const lowest = from === null ? null : lowestVersion(from, required);
  const verdict = { old, new: fresh, required, lowest, changes: [] };
  const finding = lowest === null ? null : findingOf(old, fresh, { lowest, required });
  if (finding === null) return verdict;
  const place = { subject: 'info.version', old: '/info/version', new: '/info/version' };
  return { ...verdict, changes: [reportAt({ ...place, methods: [] })(...finding, old, fresh)] };
}

type Verdict = { readonly lowest: string; readonly required: Bump };

function findingOf(
  old: string,
  fresh: string,
  { lowest, required }: Verdict,
): readonly [kind: KindId, what: string] | null {
  const to = semver.parse(fresh);
  if (to === null) return ['version-not-semver', `is "${fresh}", which does not follow semver`];
  if (semver.lt(to, old)) return ['version-lowered', `is ${fresh}, but was ${old}`];
  // A pre-release of the required version announces it.
  const release = `${to.major}.${to.minor}.${to.patch}`;
  if (required === 'none' || !semver.lt(release, lowest)) return null;
  const kind = required === 'major' ? 'version-bump-too-small' : 'version-not-raised';
  return [kind, `is ${fresh}; the changes since ${old} require at least ${lowest} (${required})`];
}

function lowestVersion(from: semver.SemVer, required: Bump): string {
  if (required === 'none') return from.version;
  const step = from.major === 0 && required === 'major' ? 'minor' : required;
  return semver.inc(from.version, step) ?? from.version;
}
