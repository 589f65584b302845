import type { Json } from '../../common/json/value.ts';
import type { Schema } from './instances/instances.ts';
import type { Draw } from './mutation.ts';

/** A mutable schema object. */
export type PlainSchema = Record<string, unknown>;

/** A way to change a schema; a value that only one of the two schemas allows decides its effect. */
export interface SchemaMutation {
  readonly name: string;
  /** Returns the new schema, or undefined if the mutation does not apply. */
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

/** Adds or replaces keywords. */
function add(name: string, fits: (schema: PlainSchema) => boolean, keywords: PlainSchema) {
  return when(name, fits, (schema) => ({ ...schema, ...keywords }));
}

/** Changes a keyword whose value is a list with at least `min` elements. */
function onList(
  name: string,
  [keyword, min]: readonly [keyword: string, min: number],
  change: (list: Json[]) => readonly Json[],
) {
  return when(
    name,
    (schema) => listAt(schema, keyword).length >= min,
    (schema) => ({ ...schema, [keyword]: change(listAt(schema, keyword)) }),
  );
}

const isString = (schema: PlainSchema) => isOf(schema, 'string');
const isArray = (schema: PlainSchema) => isOf(schema, 'array');
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
  add('add a minimum', isNumeric, { minimum: 3 }),
  add('add a minimum of 0', (schema) => isNumeric(schema) && schema['minimum'] === undefined, {
    minimum: 0,
  }),
  add('add a maximum length', isString, { maxLength: 3 }),
  add('add a pattern', (schema) => isString(schema) && schema['pattern'] === undefined, {
    pattern: '^[a-z0-9]*$',
  }),
  when(
    'allow both cases in a pattern',
    (schema) => typeof schema['pattern'] === 'string' && schema['pattern'].includes('a-f'),
    (schema) => ({ ...schema, pattern: (schema['pattern'] as string).replaceAll('a-f', 'a-fA-F') }),
  ),
  add('add a maximum of items', isArray, { maxItems: 1 }),
  add('require unique items', isArray, { uniqueItems: true }),
  add(
    'close an object',
    (schema) => isOf(schema, 'object') && schema['additionalProperties'] === undefined,
    { additionalProperties: false },
  ),
  onList('remove a value', ['enum', 2], (values) => values.slice(1)),
  onList('add a value', ['enum', 1], (values) => [...values, 'added']),
  onList('replace all values', ['enum', 1], () => ['replaced']),
  when(
    'require a forbidden member',
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
  onList('remove a type', ['type', 2], (types) => types.slice(1)),
  add('number instead of integer', (schema) => schema['type'] === 'integer', { type: 'number' }),
  when('require a member', hasProperties, (schema, { pick }) => {
    const key = pick(Object.keys(schema['properties'] as object))!;
    return { ...schema, required: [...new Set([...listAt(schema, 'required'), key])] };
  }),
  onList('make a required member optional', ['required', 1], (names) => names.slice(1)),
  ...['anyOf', 'oneOf'].flatMap((keyword) => [
    onList(`remove a variant of ${keyword}`, [keyword, 2], (variants) => variants.slice(1)),
    onList(`add a variant to ${keyword}`, [keyword, 1], (variants) => [
      ...variants,
      { type: 'boolean' },
    ]),
    onList(`reverse ${keyword}`, [keyword, 2], (variants) => variants.toReversed()),
  ]),
  when(
    'anyOf instead of oneOf',
    (schema) => schema['oneOf'] !== undefined,
    (schema) => ({ ...(without(schema, 'oneOf') as object), anyOf: schema['oneOf'] }),
  ),
  when('wrap in allOf', notReference, (schema) => ({ allOf: [schema] })),
  { name: 'wrap in anyOf', change: (schema) => ({ anyOf: [schema, schema] }) },
  { name: 'wrap in oneOf beside false', change: (schema) => ({ oneOf: [schema, false] }) },
  { name: 'negate twice', change: (schema) => ({ not: { not: schema } }) },
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
  add('exclude some values', notReference, { not: { enum: ['', 0, null] } }),
  add('change the documentation', notReference, { title: 'Other', description: 'Words.' }),
  when('reverse the members', hasProperties, (schema) => ({
    ...schema,
    properties: Object.fromEntries(Object.entries(schema['properties'] as object).toReversed()),
  })),
];
