import { canonicalValue } from './canonical.ts';
import type { Literal } from './goal.ts';

/** The values that literals leave out, as canonical texts. */
export function excludedBy(literals: readonly Literal[]): ReadonlySet<string> {
  return new Set(
    literals.flatMap((literal) =>
      literal.says === 'not-among' ? literal.values.map(canonicalValue) : [],
    ),
  );
}
