import type { Json, Schema } from './instances/instances.ts';
import type { Draw } from './mutation.ts';

/** A schema object, to be changed. */
export type PlainSchema = Record<string, unknown>;

/**
 * A way to change a schema. What it means is not said here: an instance that one schema allows and
 * the other does not decides it.
 */
export interface SchemaMutation {
  readonly name: string;
  /** The schema in its place; undefined where there is no place for it. */
  change(schema: PlainSchema, draw: Draw): Schema | undefined;
}

const isOf = (schema: PlainSchema, type: string) =>
  schema['type'] === type || (Array.isArray(schema['type']) && schema['type'].includes(type));
const isNumeric = (schema: PlainSchema) => isOf(schema, 'integer') || isOf(schema, 'number');
const listAt = (schema: PlainSchema, keyword: string) =>
  Array.isArray(schema[keyword]) ? (schema[keyword] as Json[]) : [];
const without = (schema: PlainSchema, ...keywords: string[]): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

function when(
  name: string,
  fits: (schema: PlainSchema) => boolean,
  change: (schema: PlainSchema, draw: Draw) => Schema,
): SchemaMutation {
  return { name, change: (schema, draw) => (fits(schema) ? change(schema, draw) : undefined) };
}

const notReference = (schema: PlainSchema) => schema['$ref'] === undefined;
const hasProperties = (schema: PlainSchema) =>
  Object.keys((schema['properties'] ?? {}) as object).length > 0;

function shifted(keyword: string, by: number) {
  return when(
    `${keyword} ${by > 0 ? '+' : ''}${by}`,
    (schema) => typeof schema[keyword] === 'number' && (schema[keyword] as number) + by >= 0,
    (schema) => ({ ...schema, [keyword]: (schema[keyword] as number) + by }),
  );
}

/** Changes of schemas, those that say the same in other words among them. */
export const schemaMutations: readonly SchemaMutation[] = [
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'].flatMap((keyword) => [
    shifted(keyword, 1),
    shifted(keyword, -1),
  ]),
  ...[
    'minimum',
    'maximum',
    'maxLength',
    'maxItems',
    'pattern',
    'enum',
    'required',
    'uniqueItems',
    'additionalProperties',
    'items',
    'type',
  ].map((keyword) =>
    when(
      `remove ${keyword}`,
      (schema) => schema[keyword] !== undefined,
      (schema) => without(schema, keyword),
    ),
  ),
  when('add a minimum', isNumeric, (schema) => ({ ...schema, minimum: 3 })),
  when(
    'add a minimum of 0',
    (schema) => isNumeric(schema) && schema['minimum'] === undefined,
    (schema) => ({ ...schema, minimum: 0 }),
  ),
  when(
    'add a maximum length',
    (schema) => isOf(schema, 'string'),
    (schema) => ({ ...schema, maxLength: 3 }),
  ),
  when(
    'add a pattern',
    (schema) => isOf(schema, 'string') && schema['pattern'] === undefined,
    (schema) => ({ ...schema, pattern: '^[a-z0-9]*$' }),
  ),
  when(
    'allow both cases in a pattern',
    (schema) => typeof schema['pattern'] === 'string' && schema['pattern'].includes('a-f'),
    (schema) => ({ ...schema, pattern: (schema['pattern'] as string).replaceAll('a-f', 'a-fA-F') }),
  ),
  when(
    'add a maximum of elements',
    (schema) => isOf(schema, 'array'),
    (schema) => ({ ...schema, maxItems: 1 }),
  ),
  when(
    'ask for different elements',
    (schema) => isOf(schema, 'array'),
    (schema) => ({ ...schema, uniqueItems: true }),
  ),
  when(
    'close an object',
    (schema) => isOf(schema, 'object') && schema['additionalProperties'] === undefined,
    (schema) => ({ ...schema, additionalProperties: false }),
  ),
  when(
    'take a value away',
    (schema) => listAt(schema, 'enum').length > 1,
    (schema) => ({ ...schema, enum: listAt(schema, 'enum').slice(1) }),
  ),
  when(
    'add a value',
    (schema) => listAt(schema, 'enum').length > 0,
    (schema) => ({ ...schema, enum: [...listAt(schema, 'enum'), 'added'] }),
  ),
  when(
    'replace all values',
    (schema) => listAt(schema, 'enum').length > 0,
    (schema) => ({ ...schema, enum: ['replaced'] }),
  ),
  when(
    'ask for a member that is refused',
    (schema) => isOf(schema, 'object'),
    (schema) => ({
      ...schema,
      required: [...listAt(schema, 'required'), 'refused'],
      additionalProperties: false,
    }),
  ),
  when(
    'allow null',
    (schema) => typeof schema['type'] === 'string' && schema['enum'] === undefined,
    (schema) => ({ ...schema, type: [schema['type'], 'null'] }),
  ),
  when(
    'take a type away',
    (schema) => listAt(schema, 'type').length > 1,
    (schema) => ({ ...schema, type: listAt(schema, 'type').slice(1) }),
  ),
  when(
    'number instead of integer',
    (schema) => schema['type'] === 'integer',
    (schema) => ({ ...schema, type: 'number' }),
  ),
  when('ask for a member', hasProperties, (schema, { pick }) => {
    const key = pick(Object.keys(schema['properties'] as object))!;
    return { ...schema, required: [...new Set([...listAt(schema, 'required'), key])] };
  }),
  when(
    'no longer ask for a member',
    (schema) => listAt(schema, 'required').length > 0,
    (schema) => ({ ...schema, required: listAt(schema, 'required').slice(1) }),
  ),
  ...['anyOf', 'oneOf'].flatMap((keyword) => [
    when(
      `take a variant of ${keyword} away`,
      (schema) => listAt(schema, keyword).length > 1,
      (schema) => ({ ...schema, [keyword]: listAt(schema, keyword).slice(1) }),
    ),
    when(
      `add a variant to ${keyword}`,
      (schema) => listAt(schema, keyword).length > 0,
      (schema) => ({ ...schema, [keyword]: [...listAt(schema, keyword), { type: 'boolean' }] }),
    ),
    when(
      `reverse ${keyword}`,
      (schema) => listAt(schema, keyword).length > 1,
      (schema) => ({ ...schema, [keyword]: listAt(schema, keyword).toReversed() }),
    ),
  ]),
  when(
    'anyOf instead of oneOf',
    (schema) => schema['oneOf'] !== undefined,
    (schema) => ({ ...(without(schema, 'oneOf') as object), anyOf: schema['oneOf'] }),
  ),
  when('wrap in allOf', notReference, (schema) => ({ allOf: [schema] })),
  when(
    'wrap in anyOf',
    () => true,
    (schema) => ({ anyOf: [schema, schema] }),
  ),
  when(
    'wrap in oneOf with what is nothing',
    () => true,
    (schema) => ({ oneOf: [schema, false] }),
  ),
  when(
    'negate twice',
    () => true,
    (schema) => ({ not: { not: schema } }),
  ),
  when(
    'a list of types instead of one',
    (schema) => typeof schema['type'] === 'string',
    (schema) => ({ ...schema, type: [schema['type']] }),
  ),
  when(
    'values as constants',
    (schema) => listAt(schema, 'enum').length > 0,
    (schema) => ({
      ...(without(schema, 'enum') as object),
      anyOf: listAt(schema, 'enum').map((value) => ({ const: value })),
    }),
  ),
  when('split into two by a condition', notReference, (schema) => ({
    if: { type: 'string' },
    then: schema,
    else: schema,
  })),
  when('exclude one value', notReference, (schema) => ({
    ...schema,
    not: { enum: ['', 0, null] },
  })),
  when('describe otherwise', notReference, (schema) => ({
    ...schema,
    title: 'Other',
    description: 'Words.',
  })),
  when('reverse the members', hasProperties, (schema) => ({
    ...schema,
    properties: Object.fromEntries(Object.entries(schema['properties'] as object).toReversed()),
  })),
];
