import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import type { Budget } from './budget.ts';
import { canonicalValue } from './canonical.ts';
import {
  invalid,
  NO_DEMAND,
  option,
  valid,
  type Demand,
  type JsonType,
  type Signed,
} from './goal.ts';
import { keywordsOf, type Keyword } from './keywords.ts';
import { listOf, type Node, type Pool } from './pool.ts';

/**
 * Returns what a signed schema requires of a value of `type`, or null if no value satisfies it.
 *
 * @throws WorkError if the schema is too large
 */
export function expand(
  pool: Pool,
  signed: Signed,
  { type, budget }: { readonly type: JsonType; readonly budget: Budget },
): Demand | null {
  const { schema } = signed.node;
  if (!isObject(schema)) return schema === signed.is ? NO_DEMAND : null;
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    return { ...NO_DEMAND, goal: [{ node: pool.resolve(reference), is: signed.is }] };
  }
  const types = typesOf(schema);
  const hasType = types === null || types.has(type) || (type === 'number' && types.has('integer'));
  if (!hasType) return signed.is ? null : NO_DEMAND;
  const isInteger = type === 'number' && types !== null && !types.has('number');
  const keywords = [
    ...(isInteger ? [integerKeyword] : []),
    ...keywordsOf(pool, schema, type),
    ...combinatorsOf(pool, schema, budget),
  ];
  return signed.is ? allOf(keywords) : oneFailing(keywords);
}

/** Returns the types a schema lists, or null if it lists none. */
export function typesOf({ type }: JsonObject): ReadonlySet<Json> | null {
  return type === undefined ? null : new Set([type].flat() as readonly Json[]);
}

const integerKeyword: Keyword = {
  holds: { ...NO_DEMAND, literals: [{ says: 'integer', is: true }] },
  fails: [option([], { says: 'integer', is: false })],
};

function allOf(keywords: readonly Keyword[]): Demand {
  const demands = keywords.map(({ holds }) => holds);
  return {
    literals: demands.flatMap(({ literals }) => literals),
    goal: demands.flatMap(({ goal }) => goal),
    choices: demands.flatMap(({ choices }) => choices),
  };
}

function oneFailing(keywords: readonly Keyword[]): Demand | null {
  // Does not copy a list that may be long: a union fails in as many ways as it has pairs of variants.
  const [first, ...others] = keywords.filter(({ fails }) => fails.length > 0);
  if (first !== undefined && others.length === 0 && first.fails.length > 1) {
    return { ...NO_DEMAND, choices: [first.fails] };
  }
  const options = keywords.flatMap(({ fails }) => fails);
  if (options.length === 0) return null;
  if (options.length === 1) return { ...options[0]!, choices: [] };
  return { ...NO_DEMAND, choices: [options] };
}

/** Returns the keywords that apply to values of every type. */
function combinatorsOf(pool: Pool, schema: JsonObject, budget: Budget): readonly Keyword[] {
  const nodes = (keyword: string) => listOf<Schema>(schema, keyword).map(pool.intern);
  const [all, any, one] = [nodes('allOf'), nodes('anyOf'), nodes('oneOf')];
  budget.work(all.length + any.length + one.length);
  const keywords: Keyword[] = [];
  const values = valuesOf(schema);
  if (values !== null) {
    keywords.push({
      holds: { ...NO_DEMAND, literals: [{ says: 'among', values }] },
      fails: [option([], { says: 'not-among', values })],
    });
  }
  if (all.length > 0) {
    keywords.push({
      holds: { ...NO_DEMAND, goal: all.map(valid) },
      fails: all.map((node) => option([invalid(node)])),
    });
  }
  if (any.length > 0) {
    keywords.push({
      holds: { ...NO_DEMAND, choices: [any.map((node) => option([valid(node)]))] },
      fails: [option(any.map(invalid))],
    });
  }
  if (one.length > 0) keywords.push(exactlyOneOf(pool, { schema, nodes: one }, budget));
  if (schema['not'] !== undefined) {
    const node = pool.intern(schema['not'] as Schema);
    keywords.push({
      holds: { ...NO_DEMAND, goal: [invalid(node)] },
      fails: [option([valid(node)])],
    });
  }
  if (schema['if'] !== undefined) keywords.push(...conditional(pool, schema));
  return keywords;
}

/** Returns the values of `enum` and `const`, or null if the schema has neither. */
export function valuesOf(schema: JsonObject): readonly Json[] | null {
  const known = listed.get(schema);
  if (known !== undefined) return known;
  const values = listValues(schema);
  listed.set(schema, values);
  return values;
}

// Cached, because a list may be long and is needed for each of its values.
const listed = new WeakMap<JsonObject, readonly Json[] | null>();

function listValues(schema: JsonObject): readonly Json[] | null {
  const { const: only, enum: values } = schema;
  if (!Array.isArray(values)) return only === undefined ? null : [only];
  const texts = new Set((only === undefined ? values : [only]).map(canonicalValue));
  return (values as readonly Json[]).filter((value) => texts.has(canonicalValue(value)));
}

/**
 * Cached results of `exactlyOne`: each has as many options as there are pairs of variants, and is needed
 * for each of them.
 */
const unions = new WeakMap<Pool, WeakMap<JsonObject, Keyword>>();

function exactlyOneOf(
  pool: Pool,
  { schema, nodes }: { readonly schema: JsonObject; readonly nodes: readonly Node[] },
  budget: Budget,
): Keyword {
  const known = unions.get(pool) ?? new WeakMap<JsonObject, Keyword>();
  unions.set(pool, known);
  const before = known.get(schema);
  if (before !== undefined) return before;
  // Charged before the keyword is built, which has about this many parts.
  budget.work(2 * nodes.length ** 2);
  const keyword = exactlyOne(nodes);
  known.set(schema, keyword);
  return keyword;
}

function exactlyOne(nodes: readonly Node[]): Keyword {
  const [met, unmet] = [nodes.map(valid), nodes.map(invalid)];
  const only = met.map((each, chosen) => option(unmet.with(chosen, each)));
  const pairs = met.flatMap((each, index) =>
    met.slice(index + 1).map((other) => option([each, other])),
  );
  return {
    holds: { ...NO_DEMAND, choices: [only] },
    fails: [option(unmet), ...pairs],
  };
}

function conditional(pool: Pool, schema: JsonObject): readonly Keyword[] {
  const test = pool.intern(schema['if'] as Schema);
  return (['then', 'else'] as const).flatMap((keyword): readonly Keyword[] => {
    if (schema[keyword] === undefined) return [];
    const branch = pool.intern(schema[keyword] as Schema);
    const applies = { node: test, is: keyword === 'then' };
    const doesNot = { node: test, is: keyword !== 'then' };
    const choice = [option([doesNot]), option([applies, valid(branch)])];
    return [
      {
        holds: { ...NO_DEMAND, choices: [choice] },
        fails: [option([applies, invalid(branch)])],
      },
    ];
  });
}
