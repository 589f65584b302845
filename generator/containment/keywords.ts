import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import type { Demand, JsonType, Literal, Option, Shape } from './goal.ts';
import { listOf, schemasAt, type Node, type Pool } from './pool.ts';

/** What a keyword asks of values of one type, and the ways in which a value fails it. */
export interface Keyword {
  readonly holds: Demand;
  readonly fails: readonly Option[];
}

/** The keywords of a schema object that speak of values of `type`. */
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
    holds: { literals: [holds], goal: [], choices: [] },
    fails: fails
      .filter((literal) => !isImpossible(literal))
      .map((literal) => ({ literals: [literal], goal: [] })),
  };
}

/**
 * True for what asks that something is not valid under a schema that allows anything. An empty list
 * has every element be so.
 */
function isImpossible(literal: Literal): boolean {
  if (literal.says === 'every-element') return false;
  return 'fulfils' in literal && !literal.fulfils.is && literal.fulfils.node.schema === true;
}

function numberAt(schema: JsonObject, key: string): number | null {
  const value = schema[key];
  return typeof value === 'number' ? value : null;
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

function sizeKeywords(
  schema: JsonObject,
  [min, max]: readonly [string, string],
): readonly Keyword[] {
  const least = numberAt(schema, min) ?? 0;
  const most = numberAt(schema, max);
  return [
    ...(least > 0
      ? [
          keyword(
            { says: 'size', least, most: Infinity },
            { says: 'size', least: 0, most: least - 1 },
          ),
        ]
      : []),
    ...(most === null
      ? []
      : [
          keyword(
            { says: 'size', least: 0, most },
            { says: 'size', least: most + 1, most: Infinity },
          ),
        ]),
  ];
}

function stringKeywords(schema: JsonObject): readonly Keyword[] {
  return [
    ...sizeKeywords(schema, ['minLength', 'maxLength']),
    ...(['pattern', 'format'] as const).flatMap((says) => {
      const text = schema[says];
      if (typeof text !== 'string') return [];
      return [keyword({ says, text, is: true }, { says, text, is: false })];
    }),
  ];
}

function arrayKeywords(pool: Pool, schema: JsonObject): readonly Keyword[] {
  const keywords = [...sizeKeywords(schema, ['minItems', 'maxItems'])];
  if (schema['uniqueItems'] === true) {
    keywords.push(keyword({ says: 'unique', is: true }, { says: 'unique', is: false }));
  }
  if (schema['items'] !== undefined) keywords.push(elements(pool, schema));
  if (schema['contains'] !== undefined) {
    const node = pool.intern(schema['contains'] as Schema);
    const fulfils = { node, is: true };
    keywords.push(
      keyword(
        { says: 'some-element', from: 0, to: Infinity, fulfils },
        { says: 'every-element', fulfils: { node, is: false } },
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
  const some = (node: Node, [from, to]: readonly [number, number]): Literal => ({
    says: 'some-element',
    from,
    to,
    fulfils: { node, is: false },
  });
  return keyword(
    { says: 'elements', first, rest },
    ...first.map((node, index) => some(node, [index, index + 1])),
    some(rest, [first.length, Infinity]),
  );
}

function objectKeywords(pool: Pool, schema: JsonObject): readonly Keyword[] {
  const keywords = [...sizeKeywords(schema, ['minProperties', 'maxProperties'])];
  for (const key of listOf<string>(schema, 'required')) {
    keywords.push(keyword({ says: 'has', key }, { says: 'lacks', key }));
  }
  const shape = shapeOf(pool, schema);
  if (shape !== null) keywords.push(members(shape));
  if (schema['propertyNames'] !== undefined) {
    const node = pool.intern(schema['propertyNames'] as Schema);
    keywords.push(
      keyword({ says: 'names', node }, { says: 'some-name', fulfils: { node, is: false } }),
    );
  }
  for (const [key, value] of Object.entries(schemasAt(schema, 'dependencies'))) {
    keywords.push(dependency(pool, key, value));
  }
  return keywords;
}

/** What a schema object says of members by name; null when it says nothing. */
export function shapeOf(pool: Pool, schema: JsonObject): Shape | null {
  const { properties, patternProperties, additionalProperties = true } = schema;
  if (
    properties === undefined &&
    patternProperties === undefined &&
    additionalProperties === true
  ) {
    return null;
  }
  return {
    properties: new Map(
      Object.entries(schemasAt(schema, 'properties')).map(([key, value]) => [
        key,
        pool.intern(value),
      ]),
    ),
    patterns: Object.entries(schemasAt(schema, 'patternProperties')).map(
      ([pattern, value]) => [pattern, pool.intern(value)] as const,
    ),
    additional: pool.intern(additionalProperties as Schema),
  };
}

function members(shape: Shape): Keyword {
  return keyword(
    { says: 'members', shape },
    ...[...shape.properties].map(([key, node]): Literal => ({
      says: 'member',
      key,
      fulfils: { node, is: false },
    })),
    ...shape.patterns.map(([pattern, node]): Literal => ({
      says: 'matching-member',
      pattern,
      fulfils: { node, is: false },
    })),
    { says: 'other-member', shape, fulfils: { node: shape.additional, is: false } },
  );
}

function dependency(pool: Pool, key: string, value: Json): Keyword {
  const lacks: Option = { literals: [{ says: 'lacks', key }], goal: [] };
  const has: Literal = { says: 'has', key };
  if (Array.isArray(value)) {
    const others = value as readonly string[];
    return {
      holds: {
        literals: [],
        goal: [],
        choices: [
          [
            lacks,
            {
              literals: [has, ...others.map((other): Literal => ({ says: 'has', key: other }))],
              goal: [],
            },
          ],
        ],
      },
      fails: others.map((other) => ({ literals: [has, { says: 'lacks', key: other }], goal: [] })),
    };
  }
  const node = pool.intern(isObject(value) ? value : (value as Schema));
  return {
    holds: {
      literals: [],
      goal: [],
      choices: [[lacks, { literals: [], goal: [{ node, is: true }] }]],
    },
    fails: [{ literals: [has], goal: [{ node, is: false }] }],
  };
}
