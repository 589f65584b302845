import type { Json } from '../../common/json/value.ts';
import { linearPattern } from '../violations/linear-pattern.ts';
import { accepts } from './accepts.ts';
import type { Below } from './arrays.ts';
import { canonicalValue } from './canonical.ts';
import { EMPTY, firstInhabited, unknown, type Goal, type Literal, type Outcome } from './goal.ts';
import { findFresh, type Condition, type FreshMember, type MemberRules } from './fresh-member.ts';
import { askedOf, excludedBy, literalsOf, sizeOf, type OfKind } from './literals.ts';
import type { Pool } from './pool.ts';

/** Requires that some member satisfies a schema. */
type SomeMember = OfKind<'other-member'> | OfKind<'matching-member'> | OfKind<'some-name'>;

interface ObjectFacts extends MemberRules {
  readonly least: number;
  readonly most: number;
  readonly has: ReadonlySet<string>;
  readonly lacks: ReadonlySet<string>;
  readonly members: readonly OfKind<'member'>[];
  readonly some: readonly SomeMember[];
  readonly excluded: ReadonlySet<string>;
}

/** Maximum number of members of an object that shows a difference. */
const MAX_MEMBERS = 500;

/** Finds an object that satisfies literals about objects. */
export function findObject(literals: readonly Literal[], below: Below): Outcome {
  const facts = factsOf(literals);
  if (facts.least > facts.most) return EMPTY;
  if ([...facts.has].some((key) => facts.lacks.has(key))) return EMPTY;
  const required = new Map<string, Goal>([...facts.has].map((key) => [key, []]));
  for (const { key, fulfils } of facts.members) {
    required.set(key, [...(required.get(key) ?? []), fulfils]);
  }
  return firstInhabited(placements(facts, { known: required, fresh: [] }, below), (placed) =>
    build(facts, placed, below),
  );
}

function factsOf(literals: readonly Literal[]): ObjectFacts {
  const shapes = literalsOf(literals, 'members').map(({ shape }) => shape);
  const members = literalsOf(literals, 'member');
  const others = literalsOf(literals, 'other-member');
  const has = new Set([...literalsOf(literals, 'has'), ...members].map(({ key }) => key));
  const lacks = new Set(literalsOf(literals, 'lacks').map(({ key }) => key));
  const described = [...shapes, ...others.map(({ shape }) => shape)];
  return {
    ...sizeOf(literals),
    shapes,
    names: literalsOf(literals, 'names').map(({ node }) => node),
    has,
    lacks,
    members,
    some: [
      ...others,
      ...literalsOf(literals, 'matching-member'),
      ...literalsOf(literals, 'some-name'),
    ],
    excluded: excludedBy(literals),
    known: new Set([
      ...described.flatMap(({ properties }) => [...properties.keys()]),
      ...has,
      ...lacks,
    ]),
  };
}

/** Additional requirements on members: on those whose names a schema mentions, and on others. */
interface Placed {
  readonly known: ReadonlyMap<string, Goal>;
  readonly fresh: readonly Condition[];
}

/** Yields the assignments of `some` requirements to members. */
function* placements(
  facts: ObjectFacts,
  placed: Placed,
  below: Below,
  index = 0,
): Generator<Placed> {
  const next = facts.some[index];
  if (next === undefined) return yield placed;
  const condition = conditionOf(next);
  for (const key of facts.known) {
    if (facts.lacks.has(key) || !isMeant(next, key, below.pool) || !below.budget.spend(1)) continue;
    const goal = [...(placed.known.get(key) ?? []), ...condition.value];
    const known = new Map(placed.known).set(key, goal);
    yield* placements(facts, { ...placed, known }, below, index + 1);
  }
  for (const at of [...placed.fresh.keys(), placed.fresh.length]) {
    if (!below.budget.spend(1)) return;
    const shared = placed.fresh[at] ?? ANY;
    const fresh = [...placed.fresh];
    fresh[at] = {
      key: [...shared.key, ...condition.key],
      patterns: [...shared.patterns, ...condition.patterns],
      value: [...shared.value, ...condition.value],
    };
    yield* placements(facts, { ...placed, fresh }, below, index + 1);
  }
}

const ANY: Condition = { key: [], patterns: [], value: [] };

function conditionOf(some: SomeMember): Condition {
  const { fulfils } = some;
  if (some.says === 'some-name') return { ...ANY, key: [fulfils] };
  if (some.says === 'matching-member')
    return { ...ANY, patterns: [[some.pattern, true]], value: [fulfils] };
  const patterns = some.shape.patterns.map(([source]) => [source, false] as const);
  return { ...ANY, patterns, value: [fulfils] };
}

function isMeant(some: SomeMember, key: string, pool: Pool): boolean {
  const matches = (source: string) => linearPattern(source, 'u').test(key);
  if (some.says === 'some-name') return accepts(pool, some.fulfils.node, key) === some.fulfils.is;
  if (some.says === 'matching-member') return matches(some.pattern);
  const { properties, patterns } = some.shape;
  return !properties.has(key) && !patterns.some(([source]) => matches(source));
}

function build(facts: ObjectFacts, placed: Placed, below: Below): Outcome {
  const members = new Map<string, Json>();
  if (placed.known.size + placed.fresh.length > facts.most) return EMPTY;
  for (const [key, goal] of placed.known) {
    const found = findMember(facts, { key, goal }, below);
    if (found.is !== 'inhabited') return found;
    members.set(key, found.value);
  }
  for (const condition of placed.fresh) {
    const found = findFresh(facts, { condition, taken: [...members.keys()] }, below);
    if (!isMember(found)) return found;
    members.set(found.key, found.value);
  }
  const lacking = addMembers(facts, { members, least: facts.least }, below);
  if (lacking !== null) return lacking;
  const value = Object.fromEntries(members);
  if (!facts.excluded.has(canonicalValue(value))) return { is: 'inhabited', value };
  const more = { members, least: members.size + 1 };
  if (members.size >= facts.most || addMembers(facts, more, below) !== null) {
    return unknown('no object was found that only one schema allows');
  }
  const other = Object.fromEntries(members);
  const isAllowed = !facts.excluded.has(canonicalValue(other));
  return isAllowed ? { is: 'inhabited', value: other } : unknown('no other object was found');
}

function isMember(found: FreshMember | Outcome): found is FreshMember {
  return 'key' in found;
}

/** Finds a value for a member by its name. */
function findMember(
  { shapes, names }: ObjectFacts,
  { key, goal }: { readonly key: string; readonly goal: Goal },
  { pool, inhabit, budget }: Below,
): Outcome {
  budget.work(shapes.length + names.length);
  if (!names.every((node) => accepts(pool, node, key, budget))) return EMPTY;
  return inhabit([...askedOf(shapes, key), ...goal]);
}

interface Wanted {
  readonly members: Map<string, Json>;
  readonly least: number;
}

/** Adds members until there are enough; returns the reason if that fails. */
function addMembers(facts: ObjectFacts, { members, least }: Wanted, below: Below): Outcome | null {
  if (members.size >= least) return null;
  if (least > MAX_MEMBERS)
    return unknown(`objects that only one schema allows have over ${MAX_MEMBERS} members`);
  let doubt: Outcome | null = null;
  for (const key of facts.known) {
    if (members.size >= least) return null;
    if (members.has(key) || facts.lacks.has(key)) continue;
    const found = findMember(facts, { key, goal: [] }, below);
    if (found.is === 'inhabited') members.set(key, found.value);
    else if (found.is === 'unknown' || found.basis < Infinity) doubt = found;
  }
  while (members.size < least) {
    const found = findFresh(facts, { condition: ANY, taken: [...members.keys()] }, below);
    if (!isMember(found)) return doubt ?? found;
    members.set(found.key, found.value);
  }
  return null;
}
