/** Whether a text can follow "expected": "a hash", and not "to address" or another title. */
export function isNounPhrase(text: string): boolean;
