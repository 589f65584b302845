/** Names requests: `prefix` tells instances apart, the counter their requests. */
export function createRequestIds(prefix: string): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `${prefix}-${last.toString(36)}`;
  };
}
