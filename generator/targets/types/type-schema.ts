import { commentLines, escapeScript } from '../../../common/escape/script.ts';
import { printExact } from '../../../common/json/exact.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../../common/json/value.ts';
import { componentOf } from '../../model/type-names.ts';

/** The TypeScript name for a reference, given the key of the component schema it leads to. */
export type NameOf = (component: string, within: 'union' | 'other') => string;

/**
 * Rewrites a schema into what json-schema-to-typescript is good at: references become names (its
 * `tsType`), so that it sees one schema at a time and never follows anything; keywords that no
 * TypeScript type can express are left out, which makes a type at most wider than its schema.
 */
export function toTypeSchema(schema: Schema, nameOf: NameOf): JsonObject {
  return convert(schema, nameOf, 'other');
}

function convert(schema: Schema, nameOf: NameOf, within: 'union' | 'other'): JsonObject {
  if (typeof schema === 'boolean') return { tsType: schema ? 'unknown' : 'never' };
  const docs = docsOf(schema);
  const component = componentOf(schema);
  if (component !== null) return { tsType: nameOf(component, within), ...docs };
  if (!constrains(schema)) return { tsType: 'unknown', ...docs };
  const values = 'const' in schema ? [schema['const']!] : schema['enum'];
  if (Array.isArray(values)) return { ...docs, ...convertValues(values as readonly Json[]) };
  return {
    ...docs,
    ...('type' in schema ? { type: schema['type']! } : {}),
    ...convertUnions(schema, nameOf),
    ...convertObject(schema, nameOf),
    ...convertArray(schema, nameOf),
  };
}

// A number that is rounded is no type to tell values by.
function convertValues(values: readonly Json[]): JsonObject {
  const isRounded = (value: Json) => Number.isInteger(value) && !Number.isSafeInteger(value);
  if (values.some(isRounded)) {
    const others = values.filter((value) => typeof value !== 'number').map(convertValue);
    return { anyOf: [...others, { type: 'number' }] };
  }
  const isPlain = values.every((value) => typeof value !== 'object' || value === null);
  return isPlain ? { enum: values } : { anyOf: values.map(convertValue) };
}

// A reference within a value is not one, but json-schema-to-typescript would read what it names.
function convertValue(value: Json): JsonObject {
  if (typeof value !== 'object' || value === null) return { enum: [value] };
  return { tsType: escapeScript(printExact(value)) };
}

function docsOf(schema: JsonObject): JsonObject {
  const description = schema['description'] ?? schema['title'];
  return {
    ...(typeof description === 'string'
      ? { description: commentLines(description).join('\n') }
      : {}),
    ...(schema['deprecated'] === true ? { deprecated: true } : {}),
  };
}

/** True when a TypeScript type can say something of what `schema` allows. */
export function constrains(schema: Schema): boolean {
  if (typeof schema === 'boolean') return !schema;
  const own = ['$ref', 'type', 'enum', 'const', 'properties', 'patternProperties', 'items'];
  if (own.some((keyword) => keyword in schema)) return true;
  if (schema['additionalProperties'] !== undefined) return schema['additionalProperties'] !== true;
  const list = (keyword: string) => schemasAt(schema[keyword]);
  return (
    list('allOf').some(constrains) ||
    ['anyOf', 'oneOf'].some((keyword) => keyword in schema && list(keyword).every(constrains))
  );
}

function convertUnions(schema: JsonObject, nameOf: NameOf): JsonObject {
  const converted: Record<string, Json> = {};
  const allOf = schemasAt(schema['allOf']).filter(constrains);
  if (allOf.length > 0) converted['allOf'] = allOf.map((each) => convert(each, nameOf, 'other'));
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schemasAt(schema[keyword]);
    // A branch that allows anything (such as one that only requires a member) makes the union any.
    if (branches.length === 0 || !branches.every(constrains)) continue;
    converted[keyword] = branches.map((each) => convert(each, nameOf, 'union'));
  }
  return converted;
}

function convertObject(schema: JsonObject, nameOf: NameOf): JsonObject {
  const keywords = ['properties', 'patternProperties', 'additionalProperties', 'required'];
  const isObjectSchema =
    schema['type'] === 'object' || keywords.slice(0, 3).some((k) => k in schema);
  if (!isObjectSchema && !listHas(schema['type'], 'object')) return {};
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const undeclared = required.filter((key) => !Object.hasOwn(properties, key));
  const members = Object.entries(properties).map(([key, each]): [string, JsonObject] => [
    key,
    convert(each as Schema, nameOf, 'other'),
  ]);
  const rest = convertRest(schema, nameOf);
  return {
    properties: Object.fromEntries([
      ...members,
      ...undeclared.map((key) => [key, { tsType: 'unknown' }]),
    ]),
    required,
    // An index signature has to allow what the members are: one that is like the rest, but for what
    // is said of it, would appear in it a second time.
    additionalProperties: withoutOwnDoc(
      members.find(([, member]) => withoutDocs(member) === withoutDocs(rest))?.[1] ?? rest,
    ),
  };
}

function withoutOwnDoc(schema: Json): Json {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'description'));
}

function withoutDocs(schema: Json): string {
  return JSON.stringify(schema, (key, value: Json) => (key === 'description' ? undefined : value));
}

/** What members beside the declared ones may be: one pattern's schema, or else whatever is allowed. */
function convertRest(schema: JsonObject, nameOf: NameOf): Json {
  const rest = (schema['additionalProperties'] ?? true) as Schema;
  const patterns = isObject(schema['patternProperties'])
    ? (Object.values(schema['patternProperties']) as Schema[])
    : [];
  if (patterns.length === 0)
    return typeof rest === 'boolean' ? rest : convert(rest, nameOf, 'other');
  const onlyPattern = patterns.length === 1 && rest === false ? patterns[0]! : true;
  return typeof onlyPattern === 'boolean' ? onlyPattern : convert(onlyPattern, nameOf, 'other');
}

function convertArray(schema: JsonObject, nameOf: NameOf): JsonObject {
  const items = schema['items'];
  if (items === undefined) return {};
  if (!Array.isArray(items)) return convertList(schema, convert(items as Schema, nameOf, 'other'));
  const rest = (schema['additionalItems'] ?? true) as Schema;
  const most = Number(schema['maxItems'] ?? Infinity);
  const isOpen = rest !== false && most > items.length;
  return {
    items: items.map((each) => convert(each as Schema, nameOf, 'other')),
    minItems: Math.min(Number(schema['minItems'] ?? 0), items.length),
    ...(isOpen
      ? { additionalItems: convert(rest, nameOf, 'other') }
      : { additionalItems: false, maxItems: Math.min(most, items.length) }),
  };
}

/** Longer lists are told by their elements alone: a type that repeats them more often reads badly. */
const MAX_FIXED_LENGTH = 4;

// A list of one certain length is a tuple. Of other bounds TypeScript could say "at least one", but
// then it refuses every list whose length is only known when the program runs: what `map` and
// `filter` give, and `string[]` itself.
function convertList({ minItems, maxItems }: JsonObject, element: JsonObject): JsonObject {
  const length = minItems === maxItems ? Number(minItems) : 0;
  if (!Number.isInteger(length) || length < 1 || length > MAX_FIXED_LENGTH)
    return { items: element };
  const items = Array.from({ length }, () => withoutOwnDoc(element));
  return { items, minItems: length, maxItems: length, additionalItems: false };
}

function schemasAt(value: Json | undefined): readonly Schema[] {
  return Array.isArray(value) ? (value as readonly Schema[]) : [];
}

function listHas(value: Json | undefined, item: string): boolean {
  return Array.isArray(value) && value.includes(item);
}
