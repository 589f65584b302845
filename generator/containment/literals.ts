import { linearPattern } from '../violations/linear-pattern.ts';
import { canonicalValue } from './canonical.ts';
import { valid, type Goal, type Literal, type Shape, type Signed } from './goal.ts';

export type OfKind<Says> = Literal & { readonly says: Says };

export function literalsOf<Says extends Literal['says']>(
  literals: readonly Literal[],
  says: Says,
): readonly OfKind<Says>[] {
  return literals.filter((literal): literal is OfKind<Says> => literal.says === says);
}

/** Returns the size that all literals allow; `least` is above `most` if there is none. */
export function sizeOf(literals: readonly Literal[]): { least: number; most: number } {
  const sizes = literalsOf(literals, 'size');
  return {
    least: Math.max(0, ...sizes.map(({ least }) => least)),
    most: Math.min(Infinity, ...sizes.map(({ most }) => most)),
  };
}

/** Returns the values that literals exclude, as canonical texts. */
export function excludedBy(literals: readonly Literal[]): ReadonlySet<string> {
  const lists = literalsOf(literals, 'not-among');
  return new Set(lists.flatMap(({ values }) => values.map(canonicalValue)));
}

/** Returns what shapes require of the value of a member. */
export function askedOf(shapes: readonly Shape[], key: string): Goal {
  const goal: Signed[] = [];
  for (const { properties, patterns, additional } of shapes) {
    const own = properties.get(key);
    const before = goal.length;
    if (own !== undefined) goal.push(valid(own));
    for (const [source, node] of patterns) {
      if (linearPattern(source, 'u').test(key)) goal.push(valid(node));
    }
    if (goal.length === before) goal.push(valid(additional));
  }
  return goal;
}
