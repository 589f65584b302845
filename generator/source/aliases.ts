import {
  Alias,
  isAlias,
  isMap,
  isNode,
  isPair,
  isSeq,
  visit,
  type Document,
  type Node,
} from 'yaml';

/** Maximum number of values of a document whose aliases are replaced by copies. */
const MAX_VALUES = 5_000_000;

/**
 * Resolves the aliases of a YAML document in one pass, because the library searches all anchors for each
 * alias.
 *
 * @throws Error if the aliases expand to too many values; the library's own limit does not count empty
 *   lists and objects
 */
export function resolveAliases(tree: Document): void {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node | undefined>();
  visit(tree, {
    Node(_, node) {
      if (isAlias(node)) targets.set(node, anchors.get(node.source));
      else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  if (targets.size === 0) return;
  for (const [alias, target] of targets) {
    alias.resolve = (document, context) => {
      if (context === undefined) return target as ReturnType<Alias['resolve']>;
      context.aliasResolveCache = target === undefined ? [] : [target];
      return Alias.prototype.resolve.call(alias, document, context);
    };
  }
  if (countValues(tree.contents, targets) > MAX_VALUES) {
    throw new Error(`its aliases expand to more than ${MAX_VALUES} values`);
  }
}

/** Returns the number of values in a node, with copies in place of aliases. */
function countValues(root: unknown, targets: ReadonlyMap<Alias, Node | undefined>): number {
  const counts = new Map<Node, number>();
  const count = (node: unknown): number => {
    if (isPair(node)) return count(node.value);
    if (!isNode(node)) return 1;
    const known = counts.get(node);
    if (known !== undefined) return known;
    // An alias within the node that it refers to is reported elsewhere.
    counts.set(node, 1);
    let sum = 1;
    if (isAlias(node)) sum = count(targets.get(node));
    else if (isMap(node) || isSeq(node)) for (const item of node.items) sum += count(item);
    counts.set(node, sum);
    return sum;
  };
  return count(root);
}
