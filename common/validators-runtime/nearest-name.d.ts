/** The steps that comparisons have left. */
export interface ComparisonSteps {
  left: number;
}

/** Returns the steps that several calls of `nearestName` may share. */
export function comparisonSteps(): ComparisonSteps;

/**
 * Returns the most similar of `names`, or null if none is similar enough: it may differ by `mistakes`, a third of
 * the length by default. Compares no further names once there are no steps left.
 */
export function nearestName(
  name: string,
  names: Iterable<string>,
  options?: { readonly steps?: ComparisonSteps; readonly mistakes?: number },
): string | null;

/** Returns the Levenshtein distance. */
export function editDistance(a: string, b: string): number;
