/** Checks whether a text can follow "expected": "a hash", but not "to address" or another title. */
export function isNounPhrase(text: string): boolean;
