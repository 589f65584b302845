import { unescapeToken } from '../../../../common/json/pointer.ts';
import type { Json } from '../../../../common/samples/sample.ts';
import { flatten, type FindComponent } from './schema.ts';
import type { Schema, SchemaObject } from './schema.ts';
import { shapeOf, typesOf, type Shape, type UnionShape } from './shape.ts';

/** Bounds recursive schemas. */
const MAX_INITIAL_DEPTH = 12;

/**
 * Maximum number of references and parts that one call reads: a schema that refers to another twice doubles
 * them at each level. Further references lead to schemas without keywords.
 */
const MAX_PARTS = 1_000;

/** Reads the schemas of a method with references to `components`. */
export class SchemaReader {
  readonly #find: FindComponent;
  /** Number of references and parts that the current call may still read. */
  #left = 0;

  constructor(components: Readonly<Record<string, Schema>>) {
    this.#find = (ref) => {
      this.#left -= 1;
      if (this.#left < 0) return undefined;
      const name = unescapeToken(decodeURIComponent(ref.replace(/^#\/components\/schemas\//, '')));
      return Object.hasOwn(components, name) ? components[name] : undefined;
    };
  }

  flatten(schema: Schema): SchemaObject {
    this.#left = MAX_PARTS;
    return flatten(schema, this.#find);
  }

  shape(schema: SchemaObject): Shape {
    this.#left = MAX_PARTS;
    return shapeOf(schema, this.#find);
  }

  /** Returns the initial value; undefined for none, null for one that is too large. */
  initial(schema: Schema): Json | undefined {
    this.#left = MAX_PARTS;
    return this.#initial(schema, 0);
  }

  #initial(schema: Schema, depth: number): Json | undefined {
    this.#left -= 1;
    if (this.#left < 0) return null;
    const flat = flatten(schema, this.#find);
    if (flat.default !== undefined) return flat.default;
    if (depth > MAX_INITIAL_DEPTH) return null;
    const shape = shapeOf(flat, this.#find);
    switch (shape.kind) {
      case 'choice':
        return shape.choices[0];
      case 'switch':
        return false;
      case 'object': {
        const members = shape.members.filter(({ isRequired }) => isRequired);
        return Object.fromEntries(
          members.flatMap(({ name, schema }) => {
            const value = this.#initial(schema, depth + 1);
            return value === undefined ? [] : [[name, value]];
          }),
        );
      }
      case 'list': {
        const count = Math.max(shape.minItems, shape.first.length);
        return Array.from({ length: Math.min(count, MAX_INITIAL_DEPTH) }, (_, index) => {
          return this.#initial(shape.first[index] ?? shape.rest, depth + 1) ?? null;
        });
      }
      case 'union':
        return this.#initial(shape.variants[0]!.schema, depth + 1);
      case 'scalar':
        return shape.takesText ? '' : undefined;
      case 'json':
        return undefined;
    }
  }

  /** Returns the index of the variant that matches a value best. */
  variantOf({ variants }: UnionShape, value: Json | undefined): number {
    if (value === undefined) return 0;
    const scores = variants.map(({ schema }) => this.likeness(schema, value));
    return scores.indexOf(Math.max(...scores));
  }

  /** Rates how well a value matches a schema; below zero: not at all. */
  likeness(schema: Schema, value: Json): number {
    this.#left = MAX_PARTS;
    return this.#likeness(schema, value, 0);
  }

  #likeness(schema: Schema, value: Json, depth: number): number {
    this.#left -= 1;
    if (this.#left < 0) return -9;
    const flat = flatten(schema, this.#find);
    if (flat.const !== undefined) return flat.const === value ? 9 : -9;
    if (flat.enum !== undefined) return flat.enum.includes(value) ? 9 : -9;
    const shape = shapeOf(flat, this.#find);
    if (shape.kind === 'union') {
      return Math.max(...shape.variants.map(({ schema }) => this.#likeness(schema, value, depth)));
    }
    const types = typesOf(flat);
    if (types.length > 0 && !types.some((type) => isOfType(value, type))) return -9;
    if (typeof value === 'string' && flat.pattern !== undefined) {
      return matches(flat.pattern, value) ? 2 : 0;
    }
    if (depth > MAX_INITIAL_DEPTH || typeof value !== 'object' || value === null) return 1;
    if (shape.kind === 'list' && Array.isArray(value)) {
      const [first] = value as readonly Json[];
      const item = shape.first[0] ?? shape.rest;
      return first === undefined ? 1 : 1 + Math.sign(this.#likeness(item, first, depth + 1));
    }
    if (shape.kind !== 'object') return 1;
    let score = 1;
    const found = value as Readonly<Record<string, Json>>;
    for (const { name, schema, isRequired } of shape.members) {
      if (Object.hasOwn(found, name)) {
        score += 1 + Math.sign(this.#likeness(schema, found[name]!, depth + 1));
      } else if (isRequired) score -= 3;
    }
    const known = new Set(shape.members.map(({ name }) => name));
    const unknown = Object.keys(found).filter((name) => !known.has(name)).length;
    return score - unknown * (shape.others === false ? 3 : 0);
  }
}

function isOfType(value: Json, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object')
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return typeof value === 'bigint' || Number.isInteger(value);
  if (type === 'number') return typeof value === 'bigint' || typeof value === 'number';
  return typeof value === type;
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}
