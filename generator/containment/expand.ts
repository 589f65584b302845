import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { canonicalValue } from './canonical.ts';
import type { Demand, Goal, JsonType, Literal, Option, Signed } from './goal.ts';
import { keywordsOf, type Keyword } from './keywords.ts';
import { listOf, type Node, type Pool } from './pool.ts';

/** `null`: no value of the type can fulfil it. */
export type Expansion = Demand | null;

const NO_DEMAND: Demand = { literals: [], goal: [], choices: [] };

/** What a signed schema asks of a value of `type`. */
export function expand(pool: Pool, signed: Signed, type: JsonType): Expansion {
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
    ...combinatorsOf(pool, schema),
  ];
  return signed.is ? allOf(keywords) : oneFailing(keywords);
}

/** The types a schema names; null when it names none. */
export function typesOf(schema: JsonObject): ReadonlySet<Json> | null {
  const { type } = schema;
  if (type === undefined) return null;
  return new Set(Array.isArray(type) ? (type as readonly Json[]) : [type]);
}

const integerKeyword: Keyword = {
  holds: { ...NO_DEMAND, literals: [{ says: 'integer', is: true }] },
  fails: [literalOption({ says: 'integer', is: false })],
};

function allOf(keywords: readonly Keyword[]): Demand {
  const demands = keywords.map(({ holds }) => holds);
  return {
    literals: demands.flatMap(({ literals }) => literals),
    goal: demands.flatMap(({ goal }) => goal),
    choices: demands.flatMap(({ choices }) => choices),
  };
}

function oneFailing(keywords: readonly Keyword[]): Expansion {
  const options = keywords.flatMap(({ fails }) => fails);
  if (options.length === 0) return null;
  if (options.length === 1) return { ...options[0]!, choices: [] };
  return { ...NO_DEMAND, choices: [options] };
}

function literalOption(literal: Literal): Option {
  return { literals: [literal], goal: [] };
}

function goalOption(goal: Goal): Option {
  return { literals: [], goal };
}

/** Keywords about the value as a whole, whatever its type. */
function combinatorsOf(pool: Pool, schema: JsonObject): readonly Keyword[] {
  const nodes = (keyword: string) => listOf<Schema>(schema, keyword).map(pool.intern);
  const keywords: Keyword[] = [];
  const values = valuesOf(schema);
  if (values !== null) {
    keywords.push({
      holds: { ...NO_DEMAND, literals: [{ says: 'among', values }] },
      fails: [literalOption({ says: 'not-among', values })],
    });
  }
  const all = nodes('allOf');
  if (all.length > 0) {
    keywords.push({
      holds: { ...NO_DEMAND, goal: all.map((node) => ({ node, is: true })) },
      fails: all.map((node) => goalOption([{ node, is: false }])),
    });
  }
  const any = nodes('anyOf');
  if (any.length > 0) {
    keywords.push({
      holds: { ...NO_DEMAND, choices: [any.map((node) => goalOption([{ node, is: true }]))] },
      fails: [goalOption(any.map((node) => ({ node, is: false })))],
    });
  }
  const one = nodes('oneOf');
  if (one.length > 0) keywords.push(exactlyOne(one));
  if (schema['not'] !== undefined) keywords.push(negation(pool.intern(schema['not'] as Schema)));
  if (schema['if'] !== undefined) keywords.push(...conditional(pool, schema));
  return keywords;
}

/** The values of `enum` and `const`; null when the schema has neither. */
export function valuesOf(schema: JsonObject): readonly Json[] | null {
  const known = listed.get(schema);
  if (known !== undefined) return known;
  const values = listValues(schema);
  listed.set(schema, values);
  return values;
}

// Asked of each value of a list in turn, which may be long.
const listed = new WeakMap<JsonObject, readonly Json[] | null>();

function listValues(schema: JsonObject): readonly Json[] | null {
  const lists: (readonly Json[])[] = [];
  if (Array.isArray(schema['enum'])) lists.push(schema['enum'] as readonly Json[]);
  if (schema['const'] !== undefined) lists.push([schema['const']]);
  if (lists.length === 0) return null;
  const texts = new Set((lists[1] ?? lists[0]!).map((value) => canonicalValue(value)));
  return lists[0]!.filter((value) => texts.has(canonicalValue(value)));
}

function exactlyOne(nodes: readonly Node[]): Keyword {
  const sign = (isValid: (index: number) => boolean) =>
    nodes.map((node, index) => ({ node, is: isValid(index) }));
  const pairs = nodes.flatMap((node, index) =>
    nodes.slice(index + 1).map((other) =>
      goalOption([
        { node, is: true },
        { node: other, is: true },
      ]),
    ),
  );
  return {
    holds: {
      ...NO_DEMAND,
      choices: [nodes.map((_, index) => goalOption(sign((each) => each === index)))],
    },
    fails: [goalOption(sign(() => false)), ...pairs],
  };
}

function negation(node: Node): Keyword {
  return {
    holds: { ...NO_DEMAND, goal: [{ node, is: false }] },
    fails: [goalOption([{ node, is: true }])],
  };
}

function conditional(pool: Pool, schema: JsonObject): readonly Keyword[] {
  const test = pool.intern(schema['if'] as Schema);
  return (['then', 'else'] as const).flatMap((keyword): Keyword[] => {
    if (schema[keyword] === undefined) return [];
    const branch = pool.intern(schema[keyword] as Schema);
    const applies = { node: test, is: keyword === 'then' };
    const doesNot = { node: test, is: keyword !== 'then' };
    return [
      {
        holds: {
          ...NO_DEMAND,
          choices: [[goalOption([doesNot]), goalOption([applies, { node: branch, is: true }])]],
        },
        fails: [goalOption([applies, { node: branch, is: false }])],
      },
    ];
  });
}
