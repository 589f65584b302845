/**
 * Looks for values that one schema allows and another does not, knowing nothing of the comparer: it
 * makes values after the schemas, damages them, and asks Ajv.
 */
import { Ajv, type ValidateFunction } from 'ajv';
import { formats } from '../../../common/validators-runtime/formats.js';
import type { Json, JsonObject } from '../../../common/json/value.ts';
import { instanceOf, PLAIN, type Components, type Schema } from './instances.ts';

/** Returns whether a value is valid; null if Ajv cannot decide. */
export type Validate = (value: unknown) => boolean | null;

/** Compiles a schema together with the components of its document, by Ajv. */
export function compile(schema: Schema, components: Components = {}): Validate {
  return compileIn(components)(schema);
}

/** Returns a function that compiles schemas of a document, by Ajv. */
export function compileIn(components: Components): (schema: Schema) => Validate {
  const ajv = new Ajv({
    strict: false,
    validateSchema: false,
    logger: false,
    formats: { ...formats },
    unicodeRegExp: true,
  });
  const schemas = Object.entries(components).map(([name, each]) => [name, adapt(each)]);
  ajv.addSchema({ components: { schemas: Object.fromEntries(schemas) as object } }, DOCUMENT);
  return (schema) => {
    const validate: ValidateFunction = ajv.compile({ allOf: [adapt(schema)] });
    return (value) => {
      try {
        return validate(value) === true;
      } catch (error) {
        // A schema that is a variant of itself: no validator decides about it.
        if (error instanceof RangeError) return null;
        throw error;
      }
    };
  };
}

const DOCUMENT = 'document:';

// References lead to the document. Ajv 8.20 misjudges `contains` beside a list of `items`: it starts
// after the list, and calls an empty list valid. Apart from it, it does not.
function adapt(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const { contains, $ref: reference, ...others } = (value ?? {}) as Record<string, unknown>;
    if (typeof reference === 'string' && reference.startsWith('#'))
      return { $ref: `${DOCUMENT}${reference}` };
    if (contains === undefined || !Array.isArray(others['items'])) return value;
    return { allOf: [{ contains }, others] };
  }) as Schema;
}

/** The value with one small damage somewhere. */
function damage(chance: () => number, value: Json): Json {
  const isDeep = chance() < 0.8;
  if (Array.isArray(value) && value.length > 0 && isDeep) {
    const index = Math.floor(chance() * value.length);
    if (chance() < 0.2) return value.filter((_, each) => each !== index);
    if (chance() < 0.2) return [...value, value[index]!];
    return value.map((each: Json, at) => (at === index ? damage(chance, each) : each));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && isDeep) {
    const entries = Object.entries(value as JsonObject);
    const index = Math.floor(chance() * entries.length);
    if (entries.length > 0 && chance() < 0.3) {
      return Object.fromEntries(entries.filter((_, each) => each !== index));
    }
    if (chance() < 0.15) return { ...value, extra: 1 };
    return Object.fromEntries(
      entries.map(([key, each], at) => [key, at === index ? damage(chance, each) : each]),
    );
  }
  const variants = typeof value === 'string' && chance() >= 0.7 ? PLAIN : variantsOf(value);
  return variants[Math.floor(chance() * variants.length)]!;
}

function variantsOf(value: Json): readonly Json[] {
  if (typeof value === 'number') return [value + 1, value - 1, value + 0.5, -value, value * 2];
  if (typeof value !== 'string') return PLAIN;
  const shorter = [value.slice(0, -1), value.slice(1), ''];
  return [`${value}a`, `${value}0`, ...shorter, value.toUpperCase(), value.toLowerCase()];
}

export interface Side {
  readonly schema: Schema;
  readonly components: Components;
}

interface Search {
  readonly chance: () => number;
  /** Values tried, at most. */
  readonly tries: number;
}

/** Returns a value that `inner` allows and `outer` does not, or undefined if none was found. */
export function searchWitness(
  { inner, outer }: Readonly<Record<'inner' | 'outer', Side>>,
  search: Search,
): Json | undefined {
  const compiled = (side: Side) => ({ ...side, isValid: compile(side.schema, side.components) });
  return searchWith({ inner: compiled(inner), outer: compiled(outer) }, search);
}

/** Searches like `searchWitness`, with schemas that are already compiled. */
export function searchWith(
  { inner, outer }: Readonly<Record<'inner' | 'outer', Side & { readonly isValid: Validate }>>,
  { chance, tries }: Search,
): Json | undefined {
  const constants = [...constantsIn(inner.schema), ...constantsIn(outer.schema)];
  for (let count = 0; count < tries; count += 1) {
    const side = chance() < 0.7 ? inner : outer;
    const constant = constants[Math.floor(chance() * constants.length * 10)];
    let value = constant ?? instanceOf({ chance, components: side.components }, side.schema);
    for (let damages = Math.floor(chance() * 3); damages > 0; damages -= 1)
      value = damage(chance, value);
    if (inner.isValid(value) === true && outer.isValid(value) === false) return value;
  }
  return undefined;
}

/** The values that a schema lists anywhere, such as those that it excludes. */
function constantsIn(schema: Schema): readonly Json[] {
  if (typeof schema === 'boolean') return [];
  const found: Json[] = [];
  JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const { const: constant, enum: list } = (value ?? {}) as { const?: Json; enum?: Json };
    if (constant !== undefined) found.push(constant);
    if (Array.isArray(list)) found.push(...(list as Json[]));
    return value;
  });
  return found;
}
