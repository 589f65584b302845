import type { Json, JsonObject, Schema } from '../../common/json/value.ts';
import {
  invalid,
  NO_DEMAND,
  option,
  valid,
  type Demand,
  type JsonType,
  type Literal,
  type Option,
  type Shape,
} from './goal.ts';
import { isFiniteNumber } from './decimal.ts';
import { listOf, schemasAt, type Node, type Pool } from './pool.ts';

/** What a keyword requires of values of one type, and the ways to violate it. */
export interface Keyword {
  readonly holds: Demand;
  readonly fails: readonly Option[];
}

/** Returns the keywords of a schema object that apply to values of `type`. */
export function keywordsOf(pool: Pool, schema: JsonObject, type: JsonType): readonly Keyword[] {
  switch (type) {
    case 'number':
      return numberKeywords(schema);
    case 'string':
      return stringKeywords(schema);
    case 'array':
      return arrayKeywords(pool, schema);
    case 'object':
      return objectKeywords(pool, schema);
    default:
      return [];
  }
}

function keyword(holds: Literal, ...fails: readonly Literal[]): Keyword {
  return {
    holds: { ...NO_DEMAND, literals: [holds] },
    fails: fails.filter((literal) => !isImpossible(literal)).map((literal) => option([], literal)),
  };
}

/**
 * Returns whether a literal requires some value to be invalid under a schema that allows anything.
 * `every-element` does not: an empty list satisfies it.
 */
function isImpossible(literal: Literal): boolean {
  if (literal.says === 'every-element') return false;
  return 'fulfils' in literal && !literal.fulfils.is && literal.fulfils.node.schema === true;
}

function numberAt(schema: JsonObject, key: string): number | null {
  const value = schema[key];
  return isFiniteNumber(value) ? value : null;
}

function numberKeywords(schema: JsonObject): readonly Keyword[] {
  const keywords: Keyword[] = [];
  for (const [name, says, exclusive] of LIMITS) {
    const limit = numberAt(schema, name);
    if (limit === null) continue;
    const beyond = says === 'at-least' ? 'at-most' : 'at-least';
    keywords.push(
      keyword({ says, limit, exclusive }, { says: beyond, limit, exclusive: !exclusive }),
    );
  }
  const of = numberAt(schema, 'multipleOf');
  if (of !== null && of > 0) {
    keywords.push(keyword({ says: 'multiple', of, is: true }, { says: 'multiple', of, is: false }));
  }
  return keywords;
}

const LIMITS = [
  ['minimum', 'at-least', false],
  ['exclusiveMinimum', 'at-least', true],
  ['maximum', 'at-most', false],
  ['exclusiveMaximum', 'at-most', true],
] as const;

function sizeKeywords(schema: JsonObject, noun: string): readonly Keyword[] {
  const least = Number(numberAt(schema, `min${noun}`) ?? 0);
  const most = Number(numberAt(schema, `max${noun}`) ?? Infinity);
  const size = (least: number, most: number): Literal => ({ says: 'size', least, most });
  return [
    ...(least > 0 ? [keyword(size(least, Infinity), size(0, least - 1))] : []),
    ...(most < Infinity ? [keyword(size(0, most), size(most + 1, Infinity))] : []),
  ];
}

function stringKeywords(schema: JsonObject): readonly Keyword[] {
  return [
    ...sizeKeywords(schema, 'Length'),
    ...(['pattern', 'format'] as const).flatMap((says) => {
      const text = schema[says];
      if (typeof text !== 'string') return [];
      return [keyword({ says, text, is: true }, { says, text, is: false })];
    }),
  ];
}

function arrayKeywords(pool: Pool, schema: JsonObject): readonly Keyword[] {
  const keywords = [...sizeKeywords(schema, 'Items')];
  if (schema['uniqueItems'] === true) {
    keywords.push(keyword({ says: 'unique', is: true }, { says: 'unique', is: false }));
  }
  if (schema['items'] !== undefined) keywords.push(elements(pool, schema));
  if (schema['contains'] !== undefined) {
    const node = pool.intern(schema['contains'] as Schema);
    keywords.push(
      keyword(
        { says: 'some-element', from: 0, to: Infinity, fulfils: valid(node) },
        { says: 'every-element', fulfils: invalid(node) },
      ),
    );
  }
  return keywords;
}

function elements(pool: Pool, schema: JsonObject): Keyword {
  const { items, additionalItems = true } = schema;
  const isTuple = Array.isArray(items);
  const first = isTuple ? listOf<Schema>(schema, 'items').map(pool.intern) : [];
  const rest = pool.intern((isTuple ? additionalItems : items) as Schema);
  const some = (node: Node, from: number, to: number): Literal => {
    return { says: 'some-element', from, to, fulfils: invalid(node) };
  };
  return keyword(
    { says: 'elements', first, rest },
    ...first.map((node, index) => some(node, index, index + 1)),
    some(rest, first.length, Infinity),
  );
}

function objectKeywords(pool: Pool, schema: JsonObject): readonly Keyword[] {
  const keywords = [...sizeKeywords(schema, 'Properties')];
  for (const key of listOf<string>(schema, 'required')) {
    keywords.push(keyword({ says: 'has', key }, { says: 'lacks', key }));
  }
  const shape = shapeOf(pool, schema);
  if (shape !== null) keywords.push(members(shape));
  if (schema['propertyNames'] !== undefined) {
    const node = pool.intern(schema['propertyNames'] as Schema);
    keywords.push(keyword({ says: 'names', node }, { says: 'some-name', fulfils: invalid(node) }));
  }
  for (const [key, value] of Object.entries(schemasAt(schema, 'dependencies'))) {
    keywords.push(dependency(pool, key, value));
  }
  return keywords;
}

/** Returns the schemas of members by name, or null if the schema describes none. */
function shapeOf(pool: Pool, schema: JsonObject): Shape | null {
  const { properties, patternProperties, additionalProperties = true } = schema;
  const isOpen = additionalProperties === true;
  if (properties === undefined && patternProperties === undefined && isOpen) return null;
  const nodesAt = (keyword: string) =>
    Object.entries(schemasAt(schema, keyword)).map(
      ([key, value]) => [key, pool.intern(value)] as const,
    );
  return {
    properties: new Map(nodesAt('properties')),
    patterns: nodesAt('patternProperties'),
    additional: pool.intern(additionalProperties as Schema),
  };
}

function members(shape: Shape): Keyword {
  return keyword(
    { says: 'members', shape },
    ...[...shape.properties].map(([key, node]): Literal => ({
      says: 'member',
      key,
      fulfils: invalid(node),
    })),
    ...shape.patterns.map(([pattern, node]): Literal => ({
      says: 'matching-member',
      pattern,
      fulfils: invalid(node),
    })),
    { says: 'other-member', shape, fulfils: invalid(shape.additional) },
  );
}

function dependency(pool: Pool, key: string, value: Json): Keyword {
  const has: Literal = { says: 'has', key };
  const others = Array.isArray(value) ? (value as readonly string[]) : [];
  const present = others.map((other): Literal => ({ says: 'has', key: other }));
  const nodes = Array.isArray(value) ? [] : [pool.intern(value as Schema)];
  // If the dependency is a schema, this option does not require the member: the other one covers its
  // absence.
  const applies = Array.isArray(value) ? option([], has, ...present) : option(nodes.map(valid));
  return {
    holds: { ...NO_DEMAND, choices: [[option([], { says: 'lacks', key }), applies]] },
    fails: [
      ...others.map((other) => option([], has, { says: 'lacks', key: other })),
      ...nodes.map((node) => option([invalid(node)], has)),
    ],
  };
}
