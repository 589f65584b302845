import type { Expression, Expressions } from './expression.ts';
import { parsePattern, type PatternTree } from './pattern-tree.ts';

/** Maximum number of ways through the groups with anchors; a pattern with more is not compared. */
const MAX_WAYS = 64;

/**
 * The language of the strings in which `pattern` (ECMAScript, flag "u") is found; null when it is not
 * regular, or has an anchor in a place where its meaning is not known.
 */
export function languageOfPattern(make: Expressions, pattern: string): Expression | null {
  const tree = parsePattern(pattern);
  if (tree === null) return null;
  const ways = waysOf(tree);
  if (ways.length > MAX_WAYS) return null;
  const languages = ways.map((way) => languageOfWay(make, way));
  return languages.includes(null) ? null : make.or(languages as Expression[]);
}

/** A tree as alternatives of flat sequences; only groups that contain an anchor are expanded. */
function waysOf(tree: PatternTree): readonly (readonly PatternTree[])[] {
  if (!hasAnchor(tree)) return [[tree]];
  if (tree.is === 'choice') return tree.parts.flatMap(waysOf);
  if (tree.is !== 'sequence') return [[tree]];
  return tree.parts.reduce<readonly (readonly PatternTree[])[]>(
    (ways, part) =>
      ways.length > MAX_WAYS
        ? ways
        : waysOf(part).flatMap((own) => ways.map((way) => [...way, ...own])),
    [[]],
  );
}

function hasAnchor(tree: PatternTree): boolean {
  if (tree.is === 'start' || tree.is === 'end') return true;
  if (tree.is === 'sequence' || tree.is === 'choice') return tree.parts.some(hasAnchor);
  return tree.is === 'repeat' && hasAnchor(tree.of);
}

function languageOfWay(make: Expressions, way: readonly PatternTree[]): Expression | null {
  const first = way.findIndex(({ is }) => is !== 'start');
  const start = first < 0 ? way.length : first;
  const last = way.findLastIndex(({ is }) => is !== 'end');
  const core = way.slice(start, Math.max(last + 1, start));
  if (core.some(hasAnchor)) return null;
  const isOpenBefore = start === 0;
  const isOpenAfter = !way.slice(start).some(({ is }) => is === 'end');
  return make.sequence([
    ...(isOpenBefore ? [make.everything] : []),
    ...core.map((part) => languageOf(make, part)),
    ...(isOpenAfter ? [make.everything] : []),
  ]);
}

function languageOf(make: Expressions, tree: PatternTree): Expression {
  switch (tree.is) {
    case 'characters':
      return make.characters(tree.set);
    case 'sequence':
      return make.sequence(tree.parts.map((part) => languageOf(make, part)));
    case 'choice':
      return make.or(tree.parts.map((part) => languageOf(make, part)));
    case 'repeat':
      return make.repeat(languageOf(make, tree.of), tree);
    case 'start':
    case 'end':
      return make.empty;
  }
}
