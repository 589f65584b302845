/**
 * Returns the groups of nodes that reach each other (Tarjan's algorithm), without recursion. A group
 * comes after those that it leads to.
 *
 * @param next the nodes that follow each node
 */
export function findStrongComponents(
  next: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const components: (readonly number[])[] = [];
  const entered: number[] = [];
  // The first node entered that a node leads back to; infinite once its component is known.
  const lowest: number[] = [];
  const open: number[] = [];
  const path: { readonly node: number; readonly left: Iterator<number> }[] = [];
  let count = 0;
  const enter = (node: number) => {
    entered[node] = lowest[node] = count++;
    open.push(node);
    path.push({ node, left: next[node]!.values() });
  };
  for (const start of next.keys()) {
    if (entered[start] === undefined) enter(start);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { node, left } = step;
      const to = left.next();
      if (to.done !== true) {
        if (entered[to.value] === undefined) enter(to.value);
        else lowest[node] = Math.min(lowest[node]!, lowest[to.value]!);
        continue;
      }
      path.pop();
      if (lowest[node] === entered[node]) {
        const component = open.splice(open.lastIndexOf(node));
        for (const each of component) lowest[each] = Infinity;
        components.push(component);
      }
      const parent = path.at(-1)?.node;
      if (parent !== undefined) lowest[parent] = Math.min(lowest[parent]!, lowest[node]!);
    }
  }
  return components;
}
