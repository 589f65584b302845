/**
 * Maps every item, at most `concurrency` at a time, results in the items' order. Once `signal` has
 * fired no further item is started; the result of an item not started is undefined.
 */
export async function mapBounded<T, R>(
  items: readonly T[],
  { concurrency, signal }: { concurrency: number; signal: AbortSignal },
  map: (item: T) => Promise<R>,
): Promise<(R | undefined)[]> {
  const results = Array.from<R | undefined>({ length: items.length });
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length && !signal.aborted) {
      const index = next;
      next += 1;
      results[index] = await map(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
  return results;
}
