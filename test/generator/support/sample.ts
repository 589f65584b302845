/** Values of a schema's type, and values that are wrong in one place. */
import { isObject, type Json, type JsonObject, type Schema } from '../../../common/json/value.ts';
import type { Model } from '../../../generator/model/model.ts';
import { componentOf } from '../../../generator/model/type-names.ts';

/** Below this depth only required members are set. */
const FULL_DEPTH = 3;
const MAX_DEPTH = 12;

/** Returns a value of the type of `schema`; undefined if there is no finite one. */
export function sampleOf(model: Model, schema: Schema, depth = 0): Json | undefined {
  if (depth > MAX_DEPTH || schema === false) return undefined;
  if (schema === true) return 'anything';
  const component = componentOf(schema);
  if (component !== null) return sampleOf(model, model.schemas.get(component)!.schema, depth + 1);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as Json;
  const branches = (schema['oneOf'] ?? schema['anyOf']) as readonly Schema[] | undefined;
  const all = [
    ...((schema['allOf'] ?? []) as readonly Schema[]),
    ...(branches === undefined ? [] : [branches[0]!]),
  ];
  if (all.length === 0) return ownSample(model, schema, depth);
  const parts = all.map((each) => sampleOf(model, each, depth + 1));
  if (typesOf(schema).length > 0 || 'properties' in schema) {
    parts.push(ownSample(model, schema, depth));
  }
  if (parts.includes(undefined)) return undefined;
  return parts.every(isObject) ? Object.assign({}, ...parts) : parts.at(0);
}

function ownSample(model: Model, schema: JsonObject, depth: number): Json | undefined {
  const type = typesOf(schema)[0] ?? ('properties' in schema ? 'object' : 'string');
  if (type === 'object') return objectSample(model, schema, depth);
  if (type === 'array') return arraySample(model, schema, depth);
  return { string: 'text', number: 1.5, integer: 1, boolean: true, null: null }[type];
}

function objectSample(model: Model, schema: JsonObject, depth: number): Json | undefined {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema['required'] ?? []) as readonly string[];
  const object: Record<string, Json> = {};
  for (const key of new Set([...required, ...Object.keys(properties)])) {
    const isRequired = required.includes(key);
    if (!isRequired && depth > FULL_DEPTH) continue;
    const value = sampleOf(model, properties[key] ?? true, depth + 1);
    if (value === undefined && isRequired) return undefined;
    if (value !== undefined) object[key] = value;
  }
  return object;
}

function arraySample(model: Model, schema: JsonObject, depth: number): Json | undefined {
  const items = schema['items'] as Schema | readonly Schema[] | undefined;
  if (items === undefined) return [];
  const isTuple = Array.isArray(items);
  const least = Number(schema['minItems'] ?? 0);
  const length = fixedLengthOf(schema) ?? 1;
  const wanted = isTuple
    ? (items as readonly Schema[])
    : Array.from({ length }, () => items as Schema);
  const values = wanted.map((each) => sampleOf(model, each, depth + 1));
  const missing = values.indexOf(undefined);
  if (missing < 0) return values as Json[];
  return missing < least ? undefined : (values.slice(0, missing) as Json[]);
}

/** How many elements a list has that always has the same, if they are few; else undefined. */
function fixedLengthOf({ minItems, maxItems }: JsonObject): number | undefined {
  const isFixed = typeof minItems === 'number' && minItems === maxItems;
  return isFixed && minItems > 0 && minItems <= 4 ? minItems : undefined;
}

export function typesOf(schema: JsonObject): readonly string[] {
  const type = schema['type'];
  return (Array.isArray(type) ? type : type === undefined ? [] : [type]) as readonly string[];
}

/** A value that is wrong in one place, which a type can say. */
export interface Wrong {
  readonly value: Json;
  /** Keyword of JSON Schema that it breaks. */
  readonly keyword: string;
  /** JSON pointer to the place in the value. */
  readonly pointer: string;
}

/**
 * One wrong value for each constraint of `schema` that a generated type expresses: all that types of
 * TypeScript can say but for lists of "at least one", see the documentation of `generate`.
 */
export function* wrongValues(model: Model, schema: Schema): Generator<Wrong> {
  const sample = sampleOf(model, schema);
  if (sample !== undefined) yield* wrongAt(model, schema, { sample, depth: 0 });
}

interface At {
  readonly sample: Json;
  readonly depth: number;
}

function* wrongAt(model: Model, schema: Schema, { sample, depth }: At): Generator<Wrong> {
  if (typeof schema === 'boolean' || depth > FULL_DEPTH) return;
  const component = componentOf(schema);
  if (component !== null) {
    // What a component says is seen to where it stands; of a reference, that it is one.
    const target =
      depth === 0
        ? []
        : wrongAt(model, model.schemas.get(component)!.schema, { sample, depth: FULL_DEPTH });
    for (const wrong of target) if (wrong.pointer === '') yield wrong;
    return;
  }
  const constant = 'const' in schema ? 'const' : Array.isArray(schema['enum']) ? 'enum' : null;
  if (constant !== null) {
    yield { value: 'none of these', keyword: constant, pointer: '' };
    return;
  }
  // Constraints of combined schemas are not considered.
  if (['allOf', 'anyOf', 'oneOf', 'not', 'if'].some((keyword) => keyword in schema)) return;
  const types = typesOf(schema);
  const other = (['object', 'string', 'boolean'] as const).find(
    (type) => types.length > 0 && !types.includes(type),
  );
  if (other !== undefined) {
    const value = { object: {}, string: 'text', boolean: true }[other];
    yield { value, keyword: 'type', pointer: '' };
  }
  if (isObject(sample)) yield* wrongMembers(model, schema, { sample, depth });
  if (Array.isArray(sample)) yield* wrongElements(model, schema, { sample, depth });
}

function* wrongMembers(
  model: Model,
  schema: JsonObject,
  { sample, depth }: { readonly sample: JsonObject; readonly depth: number },
): Generator<Wrong> {
  for (const key of (schema['required'] ?? []) as readonly string[]) {
    const { [key]: _, ...rest } = sample;
    yield { value: rest, keyword: 'required', pointer: '' };
  }
  if (schema['additionalProperties'] === false && !('patternProperties' in schema)) {
    yield { value: { ...sample, undeclared: 1 }, keyword: 'additionalProperties', pointer: '' };
  }
  for (const [key, member] of Object.entries((schema['properties'] ?? {}) as JsonObject)) {
    if (sample[key] === undefined) continue;
    const at = { sample: sample[key], depth: depth + 1 };
    for (const wrong of wrongAt(model, member as Schema, at)) {
      const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${wrong.pointer}`;
      yield { ...wrong, value: { ...sample, [key]: wrong.value }, pointer };
    }
  }
}

function* wrongElements(
  model: Model,
  schema: JsonObject,
  { sample, depth }: { readonly sample: readonly Json[]; readonly depth: number },
): Generator<Wrong> {
  const items = schema['items'] as Schema | readonly Schema[] | undefined;
  for (const [index, element] of sample.entries()) {
    const own = Array.isArray(items) ? (items as readonly Schema[])[index]! : (items as Schema);
    for (const wrong of wrongAt(model, own, { sample: element, depth: depth + 1 })) {
      const value = sample.with(index, wrong.value);
      yield { ...wrong, value, pointer: `/${index}${wrong.pointer}` };
    }
  }
  if (Array.isArray(items) && schema['additionalItems'] === false) {
    yield { value: [...sample, 1], keyword: 'additionalItems', pointer: '' };
  }
  const length = fixedLengthOf(schema);
  const least = Array.isArray(items) ? Number(schema['minItems'] ?? 0) : (length ?? 0);
  if (least > 0 && least <= sample.length) {
    yield { value: sample.slice(0, least - 1), keyword: 'minItems', pointer: '' };
  }
  if (length !== undefined && length === sample.length) {
    yield { value: [...sample, sample[0]!], keyword: 'maxItems', pointer: '' };
  }
}
