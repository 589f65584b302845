/** The steps that comparisons have left. */
export interface ComparisonSteps {
  left: number;
}

/** Returns the steps that several calls of `nearestName` may share. */
export function comparisonSteps(): ComparisonSteps;

/**
 * Returns the most similar of `names`, or null if none is similar enough. Compares no further names once
 * there are no steps left.
 */
export function nearestName(
  name: string,
  names: Iterable<string>,
  steps?: ComparisonSteps,
): string | null;

/** Returns the Levenshtein distance. */
export function editDistance(a: string, b: string): number;
