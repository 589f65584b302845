/** The one of `names` that `name` may have been meant to be, or null. */
export function suggestionFor(name: string, names: readonly string[]): string | null;
