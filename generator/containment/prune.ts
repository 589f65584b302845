import type { Literal, Option, Shape, Signed } from './goal.ts';
import { isRefuted, type MemberFacts } from './member-facts.ts';
import type { Pool } from './pool.ts';

/**
 * Returns whether an option obviously contradicts the requirements. Two versions of a schema are mostly
 * equal, so most options to violate one are excluded by the other at once.
 */
export function isContradicted(option: Option, facts: MemberFacts, pool: Pool): boolean {
  facts.budget.work(option.goal.length + option.literals.length * facts.literals.length);
  return (
    option.goal.some(
      ({ node, is }) =>
        facts.signs.get(node.id) === !is || (is && isRefuted(pool, facts, node.schema)),
    ) || option.literals.some((literal) => facts.literals.some((fact) => excludes(fact, literal)))
  );
}

function excludes(fact: Literal, literal: Literal): boolean {
  switch (literal.says) {
    case 'has':
      return fact.says === 'lacks' && fact.key === literal.key;
    case 'lacks':
      return (fact.says === 'has' || fact.says === 'member') && fact.key === literal.key;
    case 'member':
      if (fact.says === 'lacks') return fact.key === literal.key;
      return fact.says === 'members' && refuses(fact.shape, literal.key, literal.fulfils);
    case 'other-member':
      return fact.says === 'members' && isSameShape(fact.shape, literal.shape);
    case 'pattern':
    case 'format':
      return fact.says === literal.says && fact.text === literal.text && fact.is !== literal.is;
    case 'multiple':
      return fact.says === 'multiple' && fact.of === literal.of && fact.is !== literal.is;
    case 'size':
      return fact.says === 'size' && (fact.least > literal.most || fact.most < literal.least);
    case 'some-element':
      return fact.says === 'elements' && refusesElement(fact, literal);
    case 'some-name':
      return fact.says === 'names' && fact.node.id === literal.fulfils.node.id;
    default:
      return false;
  }
}

/**
 * Returns whether a shape excludes a member's value. Only checks the property: other shapes are other
 * facts.
 */
function refuses(shape: Shape, key: string, { node, is }: Signed): boolean {
  return !is && shape.properties.get(key)?.id === node.id;
}

function isSameShape(a: Shape, b: Shape): boolean {
  return (
    a.additional.id === b.additional.id &&
    [...a.properties.keys()].every((key) => b.properties.has(key)) &&
    a.patterns.every(([pattern]) => b.patterns.some(([other]) => other === pattern))
  );
}

type Elements = Extract<Literal, { says: 'elements' }>;
type SomeElement = Extract<Literal, { says: 'some-element' }>;

function refusesElement({ first, rest }: Elements, { from, to, fulfils }: SomeElement): boolean {
  if (fulfils.is) return false;
  const end = Math.min(to, Math.max(first.length, from) + 1);
  for (let index = from; index < end; index += 1) {
    if ((first[index] ?? rest).id !== fulfils.node.id) return false;
  }
  return true;
}
