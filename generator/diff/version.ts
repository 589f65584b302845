import semver from 'semver';
import type { Change } from './change.ts';
import type { Bump } from './kinds/kind.ts';

const ORDER: readonly Bump[] = ['none', 'patch', 'minor', 'major'];

/** The greatest of what is asked for. */
export function greatestBump(bumps: readonly Bump[]): Bump {
  return ORDER[Math.max(0, ...bumps.map((bump) => ORDER.indexOf(bump)))]!;
}

export interface VersionVerdict {
  readonly old: string;
  readonly new: string;
  /** What the changes ask for. */
  readonly required: Bump;
  /** The lowest version that would do; null where the older one does not follow semver. */
  readonly lowest: string | null;
  readonly changes: readonly Change[];
}

/**
 * Holds `info.version` to what changed (https://semver.org): what breaks asks for a new major, or
 * below 1.0.0, where nothing is promised yet, for a new minor.
 */
export function classifyVersion(old: string, fresh: string, required: Bump): VersionVerdict {
  const toChange = (kind: string, what: string): Change => ({
    kind,
    subject: 'info.version',
    what,
    old: '/info/version',
    new: '/info/version',
    before: old,
    after: fresh,
    methods: [],
  });
  const verdict = { old, new: fresh, required };
  const [from, to] = [semver.parse(old), semver.parse(fresh)];
  if (from === null) return { ...verdict, lowest: null, changes: [] };
  const lowest = lowestVersion(from, required);
  if (to === null) {
    const change = toChange('version-not-semver', `is "${fresh}", which does not follow semver`);
    return { ...verdict, lowest, changes: [change] };
  }
  if (semver.lt(to, from)) {
    return {
      ...verdict,
      lowest,
      changes: [toChange('version-lowered', `is ${fresh}, and was ${old}`)],
    };
  }
  // A pre-release of the version that is asked for announces it.
  if (required === 'none' || !semver.lt(`${to.major}.${to.minor}.${to.patch}`, lowest)) {
    return { ...verdict, lowest, changes: [] };
  }
  const kind = required === 'major' ? 'version-bump-too-small' : 'version-not-raised';
  const what = `is ${fresh}; what changed since ${old} asks for ${lowest} at least (${required})`;
  return { ...verdict, lowest, changes: [toChange(kind, what)] };
}

function lowestVersion(from: semver.SemVer, required: Bump): string {
  if (required === 'none') return from.version;
  const isInitial = from.major === 0;
  const step = isInitial && required === 'major' ? 'minor' : required;
  return semver.inc(from.version, step) ?? from.version;
}
