import { isObject } from '../json/value.ts';

/** A JSON Schema other than true and false. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/**
 * Combines schemas into one whose values are valid for all of them, as far as keywords can express that:
 * it has the properties of all, the narrowest bounds, and the last value of any other keyword. Runs in
 * linear time.
 */
export function combine(schemas: readonly SchemaObject[]): SchemaObject {
  // A Map has no inherited members that names could collide with.
  const combined = new Map<string, unknown>();
  const lists = new Map<string, unknown[]>();
  const properties = new Map<string, Set<unknown>>();
  for (const [keyword, value] of schemas.flatMap((schema) => Object.entries(schema))) {
    if (LISTS.has(keyword) && Array.isArray(value)) append(lists, keyword, value);
    else if (keyword === 'properties' && isObject(value)) addProperties(properties, value);
    else
      combined.set(
        keyword,
        combined.has(keyword) ? narrower(keyword, combined.get(keyword), value) : value,
      );
  }
  const merged = [...properties].map(([name, all]) => [name, allOf([...all])] as const);
  return Object.fromEntries([
    ...combined,
    ...lists,
    ...(merged.length > 0 ? [['properties', Object.fromEntries(merged)] as const] : []),
  ]);
}

const LISTS = new Set(['allOf', 'required']);

function append(lists: Map<string, unknown[]>, keyword: string, values: readonly unknown[]): void {
  const list = lists.get(keyword) ?? [];
  for (const value of values) list.push(value);
  lists.set(keyword, list);
}

/** A schema that several schemas refer to counts once. */
function addProperties(properties: Map<string, Set<unknown>>, added: SchemaObject): void {
  for (const [name, schema] of Object.entries(added)) {
    const all = properties.get(name);
    if (all === undefined) properties.set(name, new Set([schema]));
    else all.add(schema);
  }
}

function allOf(schemas: readonly unknown[]): unknown {
  return schemas.length === 1 ? schemas[0] : { allOf: schemas };
}

const HIGHER = new Set(['minimum', 'minLength', 'minItems', 'minProperties', 'exclusiveMinimum']);
const LOWER = new Set(['maximum', 'maxLength', 'maxItems', 'maxProperties', 'exclusiveMaximum']);

/** Returns the value of a keyword that allows what both values allow or, if unknown, the second one. */
function narrower(keyword: string, left: unknown, right: unknown): unknown {
  if (HIGHER.has(keyword)) return Math.max(Number(left), Number(right));
  if (LOWER.has(keyword)) return Math.min(Number(left), Number(right));
  if (Array.isArray(left) && Array.isArray(right)) {
    if (keyword === 'enum' || keyword === 'type') return commonTo(left, right);
  }
  return keyword === 'type' ? narrowType(left, right) : right;
}

function narrowType(left: unknown, right: unknown): unknown {
  const types = Array.isArray(left) ? left : [left];
  const others = Array.isArray(right) ? right : [right];
  const common = commonTo(types, others);
  if (common.length > 0) return common;
  return types.includes('integer') || others.includes('integer') ? 'integer' : right;
}

function commonTo(left: readonly unknown[], right: readonly unknown[]): unknown[] {
  const texts = new Set(right.map((each) => JSON.stringify(each)));
  return left.filter((each) => texts.has(JSON.stringify(each)));
}
