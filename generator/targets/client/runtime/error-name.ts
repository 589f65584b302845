/** Joins the words of a name: "ethGetProof" for "eth_getProof", "RateLimited" for "_rate_limited". */
export function joinWords(name: string): string {
  return name.replace(/[\W_]+(.?)/g, (marks, first: string) => first.toUpperCase() || marks);
}

/** Returns the error name of a reason: "NotFoundError" for "not_found". */
export function nameOfReason(reason: string): string {
  return joinWords(`_${reason}`).replace(/(Error)?$/, 'Error');
}
