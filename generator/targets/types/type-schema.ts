import { commentLines, commentText, escapeScript } from '../../../common/escape/script.ts';
import { printExact } from '../../../common/json/exact.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../../common/json/value.ts';
import { stringsAt } from '../../model/member.ts';
import { componentOf } from '../../model/type-names.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import { branchesOf, constrains, schemaList } from '../../schema/subschemas.ts';
import { textType } from './text-type.ts';

/** Names types that are declared elsewhere. */
export interface NameOf {
  /** Returns the TypeScript name of a component schema. */
  (component: string, within: 'union' | 'other'): string;
  /** Returns the name of a schema without a name of its own; undefined to write it in place. */
  readonly inline?: (schema: JsonObject) => string | undefined;
}

/**
 * Rewrites a schema for json-schema-to-typescript: references become names (its `tsType`), so that it
 * compiles one schema at a time; keywords that TypeScript cannot express are removed, so that the type
 * may be wider than the schema, but not narrower.
 */
export function toTypeSchema(schema: Schema, nameOf: NameOf): JsonObject {
  return convert(schema, nameOf, 'other');
}

function convert(schema: Schema, nameOf: NameOf, within: 'union' | 'other'): JsonObject {
  if (typeof schema === 'boolean') return { tsType: schema ? 'unknown' : 'never' };
  const docs = docsOf(schema);
  const component = componentOf(schema);
  if (component !== null) return { tsType: nameOf(component, within), ...docs };
  const declared = nameOf.inline?.(schema);
  if (declared !== undefined) return { tsType: declared, ...docs };
  if (!constrains(schema)) return { tsType: 'unknown', ...docs };
  const values = 'const' in schema ? [schema['const']!] : schema['enum'];
  if (Array.isArray(values)) return { ...docs, ...convertValues(values as readonly Json[]) };
  const text = textType(schema);
  if (text !== null && schema['type'] === 'string') return { ...docs, tsType: text };
  if (text !== null && Array.isArray(schema['type']) && schema['type'].includes('string')) {
    const others = (schema['type'] as readonly Json[]).filter((type) => type !== 'string');
    const rest = convert({ ...schema, type: others }, nameOf, 'union');
    return { ...docs, anyOf: [{ tsType: text }, rest] };
  }
  const unions = convertUnions(schema, nameOf);
  // Only the union or intersection says which members the object has.
  if (isBareObject(schema) && Object.keys(unions).length > 0) return { ...docs, ...unions };
  return {
    ...docs,
    ...typeOf(schema),
    ...unions,
    ...convertObject(schema, nameOf),
    ...convertArray(schema, nameOf),
  };
}

// A method that is a reference into an extension is not checked against the meta-schema: `type` may be
// anything.
function typeOf({ type }: JsonObject): JsonObject {
  const types = Array.isArray(type) ? type : [type];
  if (type === undefined) return {};
  return types.every((each) => typeof each === 'string') ? { type } : { tsType: 'unknown' };
}

// Rounded numbers cannot be literal types.
function convertValues(values: readonly Json[]): JsonObject {
  const isRounded = (value: Json) => Number.isInteger(value) && !Number.isSafeInteger(value);
  if (values.some(isRounded)) {
    const others = values.filter((value) => typeof value !== 'number').map(convertValue);
    return { anyOf: [...others, { type: 'number' }] };
  }
  const isPlain = values.every((value) => typeof value !== 'object' || value === null);
  return isPlain ? { enum: values } : { anyOf: values.map(convertValue) };
}

// json-schema-to-typescript would follow a `$ref` inside a value.
function convertValue(value: Json): JsonObject {
  if (typeof value !== 'object' || value === null) return { enum: [value] };
  return { tsType: escapeScript(printExact(value)) };
}

function docsOf(schema: JsonObject): JsonObject {
  const description = schema['description'] ?? schema['title'];
  const lines = typeof description === 'string' ? commentLines(commentText(description)) : [];
  return {
    ...(lines.length === 0 ? {} : { description: lines.join('\n') }),
    ...(schema['deprecated'] === true ? { deprecated: true } : {}),
  };
}

function convertUnions(schema: JsonObject, nameOf: NameOf): JsonObject {
  const converted: Record<string, Json> = {};
  const allOf = partsOf(schema);
  if (allOf.length > 0) converted['allOf'] = allOf.map((each) => convert(each, nameOf, 'other'));
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schemaList(schema[keyword]);
    // A branch that constrains nothing (such as one with only `required`) makes the union unknown.
    if (branches.length === 0 || !branches.every(constrains)) continue;
    converted[keyword] = branches.map((each) => convert(each, nameOf, 'union'));
  }
  return converted;
}

/** Returns the parts of `allOf` that a type can express, without "any object" beside another part. */
function partsOf(schema: JsonObject): readonly Schema[] {
  const parts = schemaList(schema['allOf']).filter(constrains);
  const hasUnions = (part: JsonObject) => ['allOf', 'anyOf', 'oneOf'].some((word) => word in part);
  const narrow = parts.filter(
    (part) => !isObject(part) || hasUnions(part) || !isBareObject(part) || '$ref' in part,
  );
  return narrow.length > 0 ? narrow : parts.slice(0, 1);
}

/** Checks whether a schema is `type: object` without a keyword about members. */
function isBareObject(schema: JsonObject): boolean {
  const keywords = ['required', 'properties', 'patternProperties'];
  const rest = (schema['additionalProperties'] ?? true) as Schema;
  return (
    schema['type'] === 'object' &&
    rest !== false &&
    !constrains(rest) &&
    keywords.every((keyword) => Object.keys(schema[keyword] ?? {}).length === 0)
  );
}

function convertObject(schema: JsonObject, nameOf: NameOf): JsonObject {
  const keywords = ['properties', 'patternProperties', 'additionalProperties'];
  const { type } = schema;
  const isObjectType = Array.isArray(type) ? type.includes('object') : type === 'object';
  if (!isObjectType && !keywords.some((keyword) => keyword in schema)) return {};
  const properties = objectAt(schema, 'properties');
  const required = stringsAt(schema, 'required');
  const undeclared = required.filter((key) => !Object.hasOwn(properties, key));
  const members = Object.entries(properties).map(([key, each]): [string, JsonObject] => [
    key,
    convert(each as Schema, nameOf, 'other'),
  ]);
  const rest = convertRest(schema, nameOf);
  const others = [...undeclared, ...mentionedIn(schema)].map((key) => [key, { tsType: 'unknown' }]);
  const isClosed =
    members.length + others.length > 0 && schema['additionalProperties'] === undefined;
  // json-schema-to-typescript adds the members' types to the index signature. Reusing an equal member
  // avoids listing its type twice.
  const equal = members.find(([, member]) => withoutDocs(member) === withoutDocs(rest));
  return {
    properties: Object.fromEntries([...others, ...members]),
    required,
    additionalProperties: isClosed ? false : withoutOwnDoc(equal?.[1] ?? rest),
  };
}

/**
 * Returns the members that only the `required` lists of branches name, of which one is needed, for
 * example.
 */
function mentionedIn(schema: JsonObject): readonly string[] {
  const bare = branchesOf(schema).filter((branch) => isObject(branch) && !constrains(branch));
  return bare.flatMap((branch) => stringsAt(branch as JsonObject, 'required'));
}

function withoutOwnDoc(schema: Json): Json {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'description'));
}

function withoutDocs(schema: Json): string {
  return JSON.stringify(schema, (key, value: Json) => (key === 'description' ? undefined : value));
}

/**
 * Returns the schema of undeclared members: that of a single pattern, or `additionalProperties`; true for
 * any. If the document says nothing about them, the type lists the declared members only: an index
 * signature of `unknown` would stop `in` from narrowing a union and would accept every mistyped name.
 */
function convertRest(schema: JsonObject, nameOf: NameOf): Json {
  const rest = (schema['additionalProperties'] ?? true) as Schema;
  const patterns = Object.values(objectAt(schema, 'patternProperties')) as readonly Schema[];
  const isOnlyPattern = patterns.length === 1 && rest === false;
  const only = patterns.length === 0 ? rest : isOnlyPattern ? patterns[0]! : true;
  if (only === false) return false;
  return constrains(only) ? convert(only, nameOf, 'other') : true;
}

/**
 * Maximum number of elements with a schema of their own: if they are optional, the type lists every length,
 * and takes quadratic space.
 */
const MAX_ITEMS = 64;

function convertArray(schema: JsonObject, nameOf: NameOf): JsonObject {
  const items = schema['items'];
  if (items === undefined) return {};
  if (!Array.isArray(items)) return convertList(schema, convert(items as Schema, nameOf, 'other'));
  if (items.length > MAX_ITEMS) return { items: { tsType: 'unknown' } };
  const rest = (schema['additionalItems'] ?? true) as Schema;
  const maxItems = Number(schema['maxItems'] ?? Infinity);
  const isOpen = rest !== false && maxItems > items.length;
  return {
    items: items.map((each) => convert(each as Schema, nameOf, 'other')),
    minItems: Math.min(Number(schema['minItems'] ?? 0), items.length),
    ...(isOpen
      ? { additionalItems: convert(rest, nameOf, 'other') }
      : { additionalItems: false, maxItems: Math.min(maxItems, items.length) }),
  };
}

/** Longer fixed-length lists become arrays: as tuples they are hard to read. */
const MAX_FIXED_LENGTH = 4;

// Only a fixed length becomes a tuple. A type for "at least one" would reject every list whose length
// is not known at compile time, such as the results of `map` and `filter`.
function convertList({ minItems, maxItems }: JsonObject, element: JsonObject): JsonObject {
  const length = minItems === maxItems ? Number(minItems) : 0;
  if (!Number.isInteger(length) || length < 1 || length > MAX_FIXED_LENGTH)
    return { items: element };
  const items = Array.from({ length }, () => withoutOwnDoc(element));
  return { items, minItems: length, maxItems: length, additionalItems: false };
}
