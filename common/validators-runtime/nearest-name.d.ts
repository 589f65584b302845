/** Returns the most similar of the first thousand `names`, or null if none is similar enough. */
export function nearestName(name: string, names: Iterable<string>): string | null;

/** Returns the Levenshtein distance. */
export function editDistance(a: string, b: string): number;
