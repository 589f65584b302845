/** Returns the one of `names` that `name` was probably meant to be, or null. */
export function nearestName(name: string, names: Iterable<string>): string | null;

/** Returns the Levenshtein distance. */
export function editDistance(a: string, b: string): number;
