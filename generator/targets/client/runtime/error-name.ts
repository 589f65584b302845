/** Writes the words of a name as one: "eth_getProof" gives "ethGetProof", "_rate_limited" "RateLimited". */
export function joinWords(name: string): string {
  return name.replace(/[\W_]+(.?)/g, (marks, first: string) => first.toUpperCase() || marks);
}

/** What an error is called after the reason it names: "credits_exhausted" gives "CreditsExhaustedError". */
export function nameOfReason(reason: string): string {
  return joinWords(`_${reason}`).replace(/(Error)?$/, 'Error');
}
