/**
 * A copy of `value` in which `${NAME}` in every string is replaced by that variable; one that is not
 * set is left as it is. `onUse` is told of each, with the path of its string.
 */
export function fillVariables(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  onUse: (path: readonly PropertyKey[], name: string, replacement: string | undefined) => void,
): unknown {
  const fill = (current: unknown, path: readonly PropertyKey[]): unknown => {
    if (typeof current === 'string') {
      return current.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => {
        const replacement = env[name];
        onUse(path, name, replacement);
        return replacement ?? whole;
      });
    }
    if (Array.isArray(current)) return current.map((item, index) => fill(item, [...path, index]));
    if (typeof current !== 'object' || current === null) return current;
    return Object.fromEntries(
      Object.entries(current).map(([name, item]) => [name, fill(item, [...path, name])]),
    );
  };
  return fill(value, []);
}
