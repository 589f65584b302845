import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { formats } from '../../common/validators-runtime/formats.js';
import { linearPattern } from '../violations/linear-pattern.ts';
import { ucs2length } from '../../common/validators-runtime/helpers.js';
import { createAllowance, WorkError, type Budget } from './budget.ts';
import { canonicalValue, isSame } from './canonical.ts';
import { isFiniteNumber, isMultiple, isWide } from './decimal.ts';
import { typesOf } from './expand.ts';
import type { JsonType } from './goal.ts';
import { listOf, schemasAt, type Node, type Pool } from './pool.ts';

/** Maximum nesting of schemas for one value: a reference may refer to itself. */
const MAX_DEPTH = 500;

/**
 * Returns whether a value is valid under a node's schema (JSON Schema draft-07). Charges `budget` for the
 * references that are followed and the parts that are looked at.
 *
 * @throws WorkError if these are too many
 */
export function accepts(pool: Pool, node: Node, value: Json, budget?: Budget): boolean {
  return isValid({ pool, budget, depth: 0, known: new Map() }, node.schema, value);
}

/** Maximum number of parts that a short validation looks at. */
const MAX_SHORT_WORK = 100_000;

/**
 * Returns whether a validation without memoization, such as Ajv's, takes few steps. References may
 * lead to a schema in exponentially many ways.
 */
export function isShort(pool: Pool, node: Node, value: Json): boolean {
  const budget = createAllowance(MAX_SHORT_WORK);
  try {
    isValid({ pool, budget, depth: 0, known: null }, node.schema, value);
    return true;
  } catch (error) {
    if (error instanceof WorkError) return false;
    throw error;
  }
}

interface Context {
  readonly pool: Pool;
  readonly budget: Budget | undefined;
  readonly depth: number;
  /** Results by reference and value: a schema may be reached in exponentially many ways. */
  readonly known: Map<string, Map<Json, boolean>> | null;
}

function isValid({ depth, ...others }: Context, schema: Schema, value: Json): boolean {
  if (!isObject(schema)) return schema;
  if (depth > MAX_DEPTH) return false;
  others.budget?.work(1);
  const context = { ...others, depth: depth + 1 };
  const reference = schema['$ref'];
  if (typeof reference === 'string') return isReferenceValid(context, reference, value);
  return (
    hasType(schema, value) &&
    hasValue(schema, value) &&
    isCombined(context, schema, value) &&
    (!isFiniteNumber(value) || isNumber(schema, value)) &&
    (typeof value !== 'string' || isText(schema, value)) &&
    (!Array.isArray(value) || isList(context, schema, value as readonly Json[])) &&
    (!isObject(value) || hasMembers(context, schema, value))
  );
}

function isReferenceValid(context: Context, reference: string, value: Json): boolean {
  const { pool, known, budget } = context;
  budget?.spend(1);
  const results = known?.get(reference) ?? new Map<Json, boolean>();
  known?.set(reference, results);
  const before = results.get(value);
  if (before !== undefined) return before;
  const result = isValid(context, pool.resolve(reference).schema, value);
  results.set(value, result);
  return result;
}

/** Returns the type of a value; integers are numbers. */
export function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isFiniteNumber(value) ? 'number' : (typeof value as JsonType);
}

function hasType(schema: JsonObject, value: Json): boolean {
  const types = typesOf(schema);
  if (types === null || types.has(typeOf(value))) return true;
  return types.has('integer') && (Number.isInteger(value) || isWide(value));
}

function hasValue(schema: JsonObject, value: Json): boolean {
  const { const: only, enum: values } = schema;
  if (only !== undefined && !isSame(only, value)) return false;
  return !Array.isArray(values) || textsOf(values).has(canonicalValue(value));
}

/** Returns the values of a list as canonical texts, cached because lists may be long. */
function textsOf(values: readonly Json[]): ReadonlySet<string> {
  const known = textsByList.get(values);
  if (known !== undefined) return known;
  const texts = new Set(values.map(canonicalValue));
  textsByList.set(values, texts);
  return texts;
}

const textsByList = new WeakMap<readonly Json[], ReadonlySet<string>>();

function isCombined(context: Context, schema: JsonObject, value: Json): boolean {
  const check = (each: Schema) => isValid(context, each, value);
  const { not, if: test, anyOf, oneOf } = schema;
  if (!listOf<Schema>(schema, 'allOf').every(check)) return false;
  if (anyOf !== undefined && !listOf<Schema>(schema, 'anyOf').some(check)) return false;
  if (oneOf !== undefined && listOf<Schema>(schema, 'oneOf').filter(check).length !== 1)
    return false;
  if (not !== undefined && check(not as Schema)) return false;
  if (test === undefined) return true;
  const branch = check(test as Schema) ? schema['then'] : schema['else'];
  return branch === undefined || check(branch as Schema);
}

function isNumber(schema: JsonObject, value: number): boolean {
  const within = (keyword: string, holds: (limit: number) => boolean) => {
    const limit = schema[keyword];
    return !isFiniteNumber(limit) || holds(limit);
  };
  return (
    within('minimum', (limit) => value >= limit) &&
    within('maximum', (limit) => value <= limit) &&
    within('exclusiveMinimum', (limit) => value > limit) &&
    within('exclusiveMaximum', (limit) => value < limit) &&
    within('multipleOf', (of) => of <= 0 || isMultiple(value, of))
  );
}

function hasSize(schema: JsonObject, size: number, noun: string): boolean {
  const least = schema[`min${noun}`];
  const most = schema[`max${noun}`];
  return (!isFiniteNumber(least) || size >= least) && (!isFiniteNumber(most) || size <= most);
}

function isText(schema: JsonObject, value: string): boolean {
  const { pattern: source, format } = schema;
  if (!hasSize(schema, ucs2length(value), 'Length')) return false;
  if (typeof source === 'string' && !linearPattern(source, 'u').test(value)) return false;
  const check = typeof format === 'string' ? formats[format] : undefined;
  return check === undefined || check(value);
}

function isList(context: Context, schema: JsonObject, value: readonly Json[]): boolean {
  const { items, additionalItems = true, contains } = schema;
  if (!hasSize(schema, value.length, 'Items')) return false;
  if (schema['uniqueItems'] === true && textsOf(value).size < value.length) return false;
  if (contains !== undefined && !value.some((each) => isValid(context, contains as Schema, each))) {
    return false;
  }
  if (items === undefined) return true;
  const first = Array.isArray(items) ? (items as readonly Schema[]) : [];
  const rest = (Array.isArray(items) ? additionalItems : items) as Schema;
  return value.every((each, index) => isValid(context, first[index] ?? rest, each));
}

function hasMembers(context: Context, schema: JsonObject, value: JsonObject): boolean {
  const keys = Object.keys(value);
  const required = listOf<string>(schema, 'required');
  const patterns = Object.entries(schemasAt(schema, 'patternProperties'));
  context.budget?.work(keys.length * (1 + patterns.length) + required.length);
  const { propertyNames, additionalProperties = true } = schema;
  if (!hasSize(schema, keys.length, 'Properties')) return false;
  if (!required.every((key) => Object.hasOwn(value, key))) return false;
  if (propertyNames !== undefined) {
    if (!keys.every((key) => isValid(context, propertyNames as Schema, key))) return false;
  }
  const properties = schemasAt(schema, 'properties');
  const isMemberValid = (key: string) => {
    const own = Object.hasOwn(properties, key) ? [properties[key]!] : [];
    const matching = patterns.filter(([source]) => linearPattern(source, 'u').test(key));
    const schemas = [...own, ...matching.map(([, each]) => each)];
    if (schemas.length === 0) schemas.push(additionalProperties as Schema);
    return schemas.every((each) => isValid(context, each, value[key]!));
  };
  return keys.every(isMemberValid) && meetsDependencies(context, schema, value);
}

function meetsDependencies(context: Context, schema: JsonObject, value: JsonObject): boolean {
  return Object.entries(schemasAt(schema, 'dependencies')).every(([key, dependency]) => {
    if (!Object.hasOwn(value, key)) return true;
    const names = dependency as unknown;
    if (!Array.isArray(names)) return isValid(context, dependency, value);
    return names.every((name: string) => Object.hasOwn(value, name));
  });
}
