/**
 * A copy of `value` in which `${NAME}` in every string is replaced by that variable. A variable that
 * is not set is told to `onMissing` with the path of its string, and left as it is.
 */
export function fillVariables(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  onMissing: (path: readonly PropertyKey[], name: string) => void,
): unknown {
  const fill = (current: unknown, path: readonly PropertyKey[]): unknown => {
    if (typeof current === 'string') {
      return current.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => {
        const replacement = env[name];
        if (replacement === undefined) onMissing(path, name);
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
