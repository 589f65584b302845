import type { Diff } from '../../../../generator/diff/diff.ts';

export { diffOf, toLoaded } from '../../../../bench/diff/document.ts';

/** Ids of what was found, without what it asks of the version. */
export function kindsIn({ changes }: Diff): readonly string[] {
  return changes.map(({ kind }) => kind).filter((kind) => !kind.startsWith('version-'));
}
