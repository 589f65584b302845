import { isNode, visit, type Document } from 'yaml';

/** Where the first alias stands that is within what it stands for; null where there is none. */
export function findCircularAlias(tree: Document): number | null {
  let at: number | null = null;
  visit(tree, {
    Alias(_, alias, path) {
      const target = alias.resolve(tree);
      if (target === undefined || !path.some((each) => isNode(each) && each === target)) return;
      at = alias.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return at;
}
