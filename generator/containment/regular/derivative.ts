import { hasCharacter, MAX_CODE_POINT } from './characters.ts';
import type { Expression, Expressions } from './expression.ts';

/** The language of the strings that, after `codePoint`, make a string of `expression`. */
export function derive(make: Expressions, expression: Expression, codePoint: number): Expression {
  make.spend(costOf(expression));
  switch (expression.is) {
    case 'empty':
      return make.nothing;
    case 'characters':
      return hasCharacter(expression.set, codePoint) ? make.empty : make.nothing;
    case 'then': {
      const { first, next } = expression;
      const within = make.sequence([derive(make, first, codePoint), next]);
      return first.acceptsEmpty ? make.or([within, derive(make, next, codePoint)]) : within;
    }
    case 'or':
      return make.or(expression.parts.map((part) => derive(make, part, codePoint)));
    case 'and':
      return make.and(expression.parts.map((part) => derive(make, part, codePoint)));
    case 'not':
      return make.not(derive(make, expression.of, codePoint));
    case 'repeat': {
      const { of, least, most } = expression;
      const rest = make.repeat(of, { least: Math.max(least - 1, 0), most: most - 1 });
      return make.sequence([derive(make, of, codePoint), rest]);
    }
  }
}

/**
 * Adds to `cuts` the code points at which the derivative may change: all characters from one cut up to
 * the next, exclusive, have the same derivative.
 */
export function addCuts(make: Expressions, expression: Expression, cuts: Set<number>): void {
  make.spend(costOf(expression));
  switch (expression.is) {
    case 'empty':
      return;
    case 'characters':
      for (const [from, to] of expression.set) {
        cuts.add(from);
        if (to < MAX_CODE_POINT) cuts.add(to + 1);
      }
      return;
    case 'then':
      addCuts(make, expression.first, cuts);
      if (expression.first.acceptsEmpty) addCuts(make, expression.next, cuts);
      return;
    case 'or':
    case 'and':
      for (const part of expression.parts) addCuts(make, part, cuts);
      return;
    case 'not':
    case 'repeat':
      addCuts(make, expression.of, cuts);
  }
}

/** The steps that an expression takes, without the expressions within it. */
function costOf(expression: Expression): number {
  return expression.is === 'characters' ? 1 + expression.set.length : 1;
}
