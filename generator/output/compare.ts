import type { Rendered } from '../targets/target.ts';

/** How the files of a folder differ from what the targets write; paths relative to the folder. */
export interface Drift {
  /** There, but with another text. */
  readonly stale: readonly string[];
  /** Not there. */
  readonly missing: readonly string[];
  /** There, but written by no target. */
  readonly orphaned: readonly string[];
}

/** Compares what should be there with what is, byte for byte. */
export function compareFiles(expected: Rendered, found: Rendered): Drift {
  const paths = [...expected.keys()].sort();
  return {
    stale: paths.filter((path) => found.has(path) && found.get(path) !== expected.get(path)),
    missing: paths.filter((path) => !found.has(path)),
    orphaned: [...found.keys()].filter((path) => !expected.has(path)).sort(),
  };
}

/** True when nothing differs. */
export function isClean({ stale, missing, orphaned }: Drift): boolean {
  return stale.length + missing.length + orphaned.length === 0;
}
