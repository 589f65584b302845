import { findStrongComponents } from '../../schema/strong-components.ts';

/** The nodes at which comparisons start, and the nodes that follow each node. */
interface Graph {
  readonly starts: readonly { readonly root: string; readonly node: number }[];
  readonly next: readonly (readonly number[])[];
}

/**
 * Returns a function from nodes to the roots that reach one of them, in the order of the starts. Equal
 * lists are one array, because thousands of schemas may be reached from the same thousands of methods.
 */
export function createReach(graph: Graph): (nodes: Iterable<number>) => readonly string[] {
  const reaching = startsReaching(graph);
  const numbers = new Map([...new Set(reaching)].map((starts, number) => [starts, number]));
  const known = new Map<string, readonly string[]>();
  return (nodes) => {
    const sets = new Set([...nodes].map((node) => reaching[node]!));
    const key = [...sets].map((starts) => numbers.get(starts)!).join();
    const roots = known.get(key) ?? rootsOf(graph, sets);
    known.set(key, roots);
    return roots;
  };
}

function rootsOf({ starts }: Graph, sets: Iterable<ReadonlySet<number>>): readonly string[] {
  const reaching = new Set([...sets].flatMap((each) => [...each]));
  const roots = [...reaching].toSorted((a, b) => a - b).map((start) => starts[start]!.root);
  return [...new Set(roots)];
}

/** Returns the numbers of the starts that reach each node; nodes that reach each other share a set. */
function startsReaching({ starts, next }: Graph): readonly ReadonlySet<number>[] {
  const components = findStrongComponents(next);
  const own = next.map((): number[] => []);
  for (const [start, { node }] of starts.entries()) own[node]!.push(start);
  const incoming = next.map(() => new Set<ReadonlySet<number>>());
  const reaching: ReadonlySet<number>[] = [];
  // A component comes after the ones that it leads to.
  for (const component of components.toReversed()) {
    const sets = new Set(component.flatMap((node) => [...incoming[node]!]));
    const begun = component.flatMap((node) => own[node]!);
    if (begun.length > 0) sets.add(new Set(begun));
    const [first = new Set<number>(), ...more] = sets;
    const set = more.length === 0 ? first : new Set([...sets].flatMap((each) => [...each]));
    for (const node of component) reaching[node] = set;
    for (const node of component) for (const to of next[node]!) incoming[to]!.add(set);
  }
  return reaching;
}
