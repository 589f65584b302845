export function nullRemover(
  nulls: {
    readonly members: readonly (readonly [string, readonly string[]])[];
    readonly params: readonly number[];
  },
  names: readonly string[],
): (params: unknown) => unknown;
