import { isObject } from '../../common/json/value.ts';

/** A JSON Schema other than true and false. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/**
 * Combines schemas to one for values that are valid for all of them, as far as keywords allow: the
 * properties of all, the narrower bounds, and otherwise the last value of a keyword.
 */
export function combine(schema: SchemaObject, others: readonly SchemaObject[]): SchemaObject {
  return others.reduce((combined, other) => mergeMembers(combined, other, both), schema);
}

const HIGHER = new Set(['minimum', 'minLength', 'minItems', 'minProperties', 'exclusiveMinimum']);
const LOWER = new Set(['maximum', 'maxLength', 'maxItems', 'maxProperties', 'exclusiveMaximum']);
const LISTS = new Set(['allOf', 'required']);

function both(keyword: string, left: unknown, right: unknown): unknown {
  if (HIGHER.has(keyword)) return Math.max(Number(left), Number(right));
  if (LOWER.has(keyword)) return Math.min(Number(left), Number(right));
  if (Array.isArray(left) && Array.isArray(right)) {
    if (LISTS.has(keyword)) return [...left, ...right];
    if (keyword === 'enum' || keyword === 'type') return commonTo(left, right);
    return right;
  }
  if (keyword === 'type') return narrowType(left, right);
  if (keyword !== 'properties' || !isObject(left) || !isObject(right)) return right;
  return mergeMembers(left, right, (_, first, second) => ({ allOf: [first, second] }));
}

/** Merges objects; a Map has no inherited members, whatever the names. */
function mergeMembers(
  left: SchemaObject,
  right: SchemaObject,
  merge: (name: string, left: unknown, right: unknown) => unknown,
): SchemaObject {
  const members = new Map(Object.entries(left));
  for (const [name, value] of Object.entries(right)) {
    members.set(name, members.has(name) ? merge(name, members.get(name), value) : value);
  }
  return Object.fromEntries(members);
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
