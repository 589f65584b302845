/** Something that is loaded when it is first needed. */
export interface Loader<T> {
  /** Loads it once; after a failure the next call loads it again. */
  load(): Promise<T>;
  /** Makes the next call load it again. */
  reset(): void;
}

/** A loader of `request`, which is called with the number of loads before this one. */
export function loadOnce<T>(request: (loads: number) => Promise<T>): Loader<T> {
  let loading: Promise<T> | undefined;
  let loads = 0;
  const reset = (): void => {
    loading = undefined;
  };
  return {
    load() {
      if (loading !== undefined) return loading;
      const current = request(loads);
      loads += 1;
      loading = current;
      current.catch(() => {
        if (loading === current) reset();
      });
      return current;
    },
    reset,
  };
}
