import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { accepts } from './accepts.ts';
import type { Budget } from './budget.ts';
import { typesOf, valuesOf } from './expand.ts';
import type { Goal, Literal, Option } from './goal.ts';
import { askedOf, literalsOf } from './literals.ts';
import { listOf, schemasAt, type Pool } from './pool.ts';

/** Maximum number of references to follow to find what a schema lists. */
const MAX_HOPS = 8;

/**
 * Returns whether obviously no value satisfies a goal, because a schema allows nothing, no listed value
 * satisfies the goal, or the schemas have no type in common.
 */
function isPlainlyEmpty(pool: Pool, goal: Goal, budget: Budget): boolean {
  budget.work(goal.length);
  let types: ReadonlySet<Json> | null = null;
  for (const { node, is } of goal) {
    if (node.schema === !is) return true;
    if (!is) continue;
    const schema = resolved(pool, node.schema);
    if (schema === false) return true;
    if (!isObject(schema)) continue;
    const values = valuesOf(schema);
    if (values !== null)
      return !values.some((value) =>
        goal.every(({ node, is }) => accepts(pool, node, value, budget) === is),
      );
    const own = typesOf(schema);
    if (own === null) continue;
    types = types === null ? own : commonTypes(types, own);
    if (types.size === 0) return true;
  }
  return false;
}

/** Follows references, and each `allOf` that has one schema and no other keyword beside it. */
function resolved(pool: Pool, schema: Schema): Schema {
  let at = schema;
  for (let hops = 0; hops < MAX_HOPS && isObject(at); hops += 1) {
    const reference: Json | undefined = at['$ref'];
    const only: Schema | null = onlyPartOf(at);
    if (typeof reference === 'string') at = pool.resolve(reference).schema;
    else if (only !== null) at = only;
    else break;
  }
  return at;
}

function onlyPartOf(schema: JsonObject): Schema | null {
  const parts = listOf<Schema>(schema, 'allOf');
  return parts.length === 1 && Object.keys(schema).length === 1 ? parts[0]! : null;
}

function commonTypes(a: ReadonlySet<Json>, b: ReadonlySet<Json>): ReadonlySet<Json> {
  const common = new Set([...a].filter((type) => b.has(type)));
  const [hasNumber, hasInteger] = ['number', 'integer'].map((type) => a.has(type) || b.has(type));
  if (hasNumber && hasInteger && !common.has('number')) {
    const isIn = (set: ReadonlySet<Json>) => set.has('number') || set.has('integer');
    if (isIn(a) && isIn(b)) common.add('integer');
  }
  return common;
}

/** What is required of a value so far, and of its members if it is an object. */
export interface MemberFacts {
  readonly literals: readonly Literal[];
  readonly budget: Budget;
  /** By node, whether the value must be valid or invalid under it. */
  readonly signs: ReadonlyMap<number, boolean>;
  /** Members that the object has. */
  readonly has: ReadonlySet<string>;
  /** Returns what is required of the value of a member, or null if the object lacks the member. */
  readonly asked: (key: string) => Goal | null;
}

export function memberFactsOf(
  literals: readonly Literal[],
  signs: MemberFacts['signs'],
  budget: Budget,
): MemberFacts {
  budget.work(literals.length);
  const shapes = literalsOf(literals, 'members').map(({ shape }) => shape);
  const members = literalsOf(literals, 'member');
  const lacks = new Set(literalsOf(literals, 'lacks').map(({ key }) => key));
  const known = new Map<string, Goal | null>();
  return {
    literals,
    budget,
    signs,
    has: new Set([...literalsOf(literals, 'has'), ...members].map(({ key }) => key)),
    asked(key) {
      const before = known.get(key);
      if (before !== undefined) return before;
      budget.work(shapes.length + members.length);
      const own = members.filter((each) => each.key === key).map(({ fulfils }) => fulfils);
      const goal = lacks.has(key) ? null : [...askedOf(shapes, key), ...own];
      known.set(key, goal);
      return goal;
    },
  };
}

/** Returns whether obviously no object that satisfies the facts has the member. */
function cannotHave(
  pool: Pool,
  { asked, budget }: MemberFacts,
  key: string,
  ...more: Goal
): boolean {
  const goal = asked(key);
  return goal === null || isPlainlyEmpty(pool, [...goal, ...more], budget);
}

/** Returns whether the facts obviously contradict themselves. */
export function isImpossible(pool: Pool, facts: MemberFacts): boolean {
  return [...facts.has].some((key) => cannotHave(pool, facts, key));
}

/** Returns whether obviously every value that satisfies the facts satisfies the option too. */
export function isEntailed(pool: Pool, { literals, goal }: Option, facts: MemberFacts): boolean {
  const { has, signs, budget } = facts;
  budget.work(goal.length + literals.length);
  return (
    goal.every(
      ({ node, is }) => signs.get(node.id) === is || (!is && isRefuted(pool, facts, node.schema)),
    ) &&
    literals.every((literal) => {
      if (literal.says === 'has') return has.has(literal.key);
      if (literal.says === 'lacks') return cannotHave(pool, facts, literal.key);
      if (literal.says !== 'member' || !has.has(literal.key)) return false;
      const { node, is } = literal.fulfils;
      return cannotHave(pool, facts, literal.key, { node, is: !is });
    })
  );
}

/**
 * Returns whether a schema obviously allows no object that satisfies the facts: for example, because the
 * member that marks a variant has another value, or is missing.
 */
export function isRefuted(
  pool: Pool,
  facts: MemberFacts,
  schema: Schema,
  hops = MAX_HOPS,
): boolean {
  if (!isObject(schema) || hops === 0) return schema === false;
  facts.budget.work(1);
  if (facts.has.size === 0) return false;
  if (facts.signs.get(pool.intern(schema).id) === false) return true;
  const refutes = (each: Schema) => isRefuted(pool, facts, each, hops - 1);
  const reference = schema['$ref'];
  if (typeof reference === 'string') return refutes(pool.resolve(reference).schema);
  return (
    listOf<string>(schema, 'required').some((key) => cannotHave(pool, facts, key)) ||
    Object.entries(schemasAt(schema, 'properties')).some(([key, each]) => {
      const node = pool.intern(each);
      return facts.has.has(key) && cannotHave(pool, facts, key, { node, is: true });
    }) ||
    listOf<Schema>(schema, 'allOf').some(refutes) ||
    ['anyOf', 'oneOf'].some((keyword) => {
      const variants = listOf<Schema>(schema, keyword);
      return variants.length > 0 && variants.every(refutes);
    })
  );
}
