import { linearPattern } from '../violations/linear-pattern.ts';
import type { Goal, Literal, Shape } from './goal.ts';

/** What shapes ask of the value of a member, by its name. */
export function askedOf(shapes: readonly Shape[], key: string): Goal {
  return shapes.flatMap(({ properties, patterns, additional }) => {
    const own = properties.get(key);
    const matching = patterns.filter(([source]) => linearPattern(source, 'u').test(key));
    const nodes = [...(own === undefined ? [] : [own]), ...matching.map(([, node]) => node)];
    return (nodes.length === 0 ? [additional] : nodes).map((node) => ({ node, is: true }));
  });
}

/**
 * What a literal asks of one part of a value, together with what others ask of it; null where the
 * part is not a certain one. When there is no such part, the literal cannot be fulfilled.
 */
export function partOf(literal: Literal, literals: readonly Literal[]): Goal | null {
  if (literal.says === 'member') {
    const shapes = literals.flatMap((each) => (each.says === 'members' ? [each.shape] : []));
    return [...askedOf(shapes, literal.key), literal.fulfils];
  }
  if (literal.says === 'some-element') {
    const tuples = literals.flatMap((each) => (each.says === 'elements' ? [each] : []));
    if (tuples.some(({ first }) => first.length > 0)) return null;
    const every = literals.flatMap((each) => (each.says === 'every-element' ? [each.fulfils] : []));
    return [...tuples.map(({ rest }) => ({ node: rest, is: true })), ...every, literal.fulfils];
  }
  return null;
}
