import { joinPointer, memberOf, unescapeToken } from '../json/pointer.ts';
import { makeScalar } from './make-scalar.ts';
import { UnsatisfiableSchemaError } from './unsatisfiable.ts';
import { isObject } from '../json/value.ts';
import { checkTime } from '../validators-runtime/helpers.js';
import { combine, type SchemaObject } from './combine-schemas.ts';
import { entriesOf, listedIn, sizeOf } from './schema-size.ts';

/** Maximum number of values within a value. */
const MAX_PARTS = 2_000;

/** Maximum total length of the names and strings in a value, and of schema values that it repeats. */
const MAX_TEXT_CHARACTERS = 100_000;

/**
 * Maximum number of steps to generate a value and to validate it. Each keyword and property of combined
 * schemas is a step, and so is each character; one from a large set in a pattern counts as several. A schema
 * that refers to a large one from many places takes many steps.
 */
export const MAX_STEPS = 1_000_000;

/** Names, branches or characters of a schema that are only read, which together count as a step. */
const READ_PER_STEP = 8;

/** Steps of following a reference. */
const FOLLOW_STEPS = 4;

/** Maximum depth of a value: a schema that requires itself has no finite value. */
const MAX_DEPTH = 100;

/** From this depth on, values are as small as possible. */
const MIN_SMALL_DEPTH = 5;

/** Maximum number of consecutive references. */
const MAX_HOPS = 64;

/** Start of a reference to another schema, in a single schema or in a document. */
const DEFINITIONS = /^#\/(?:definitions|components\/schemas)\//;

/** Maximum number of elements of an array beyond the required ones. */
const SPARE_ITEMS = 3;

interface MakerOptions {
  /** Schema whose `definitions` are referenced. */
  readonly root: SchemaObject;
  readonly random: () => number;
  /** Fraction of optional members that are generated. */
  readonly optionals: number;
  /** Whether the examples and the default of a schema may be used; they may be invalid. */
  readonly trusts: (schema: SchemaObject) => boolean;
}

/** An example or a default that was used. */
interface TakenValue {
  /** Position in the generated value (RFC 6901). */
  readonly pointer: string;
  readonly schema: SchemaObject;
}

/**
 * Generates values from a JSON Schema of draft-07. They follow its structure, enumerations, examples
 * and defaults, but may violate other keywords (`not`, `if`, `contains`, …), so the caller validates
 * them.
 */
export class ValueMaker {
  readonly #options: MakerOptions;
  readonly taken: TakenValue[] = [];
  readonly #used = new Set<unknown>();
  #parts = 0;
  #steps = 0;
  #charactersLeft = MAX_TEXT_CHARACTERS;

  constructor(options: MakerOptions) {
    this.#options = options;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Throws UnsatisfiableSchemaError. */
  make(schema: unknown, depth = 0, pointer = ''): unknown {
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) throw new UnsatisfiableSchemaError('the value is too large');
    if (depth > MAX_DEPTH) throw new UnsatisfiableSchemaError('the value is nested too deeply');
    if (schema === false) throw new UnsatisfiableSchemaError('no value is valid');
    if (!isObject(schema)) return null;
    const flat = this.#flatten(schema, depth);
    if ('const' in flat) return this.#take(flat['const']);
    const allowed = flat['enum'];
    if (Array.isArray(allowed) && allowed.length > 0) return this.#take(this.#pick(allowed));
    const given = examplesOf(flat);
    if (given.length > 0 && this.#options.trusts(schema)) {
      this.taken.push({ pointer, schema });
      return this.#take(this.#pick(given));
    }
    const type = this.#typeOf(flat, depth);
    if (type === 'object') return this.#makeObject(flat, depth, pointer);
    if (type === 'array') return this.#makeArray(flat, depth, pointer);
    return this.#makeScalar({ ...flat, type });
  }

  #makeScalar(schema: SchemaObject): unknown {
    const { random } = this.#options;
    const made = makeScalar(schema, {
      random,
      maxCharacters: this.#charactersLeft,
      onSteps: (steps) => this.#step(steps),
    });
    if (typeof made === 'string') this.#charge(made.length);
    return made;
  }

  /** Returns a value that the schema lists. Only repeated uses count, since the document bounds the first. */
  #take(value: unknown): unknown {
    if (this.#used.has(value)) this.#charge(sizeOf(value));
    this.#used.add(value);
    return value;
  }

  #charge(characters: number): void {
    this.#step(characters);
    this.#charactersLeft -= characters;
    if (this.#charactersLeft < 0) throw new UnsatisfiableSchemaError('the strings are too long');
  }

  #read(count: number): void {
    this.#step(Math.ceil(count / READ_PER_STEP));
  }

  #step(count: number): void {
    checkTime();
    this.#steps += count;
    if (this.#steps > MAX_STEPS) throw new UnsatisfiableSchemaError('it takes too many steps');
  }

  /** Follows references and picks one branch of each alternative. */
  #flatten(schema: SchemaObject, depth: number): SchemaObject {
    let flat = schema;
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      const { $ref, allOf, anyOf, oneOf, then, ...rest } = flat;
      if (typeof $ref === 'string') {
        flat = this.#follow($ref);
        continue;
      }
      const parts: unknown[] = [];
      if (Array.isArray(allOf)) for (const part of allOf) parts.push(this.#followed(part));
      for (const branches of [anyOf, oneOf]) {
        if (Array.isArray(branches)) parts.push(this.#followed(this.#branchOf(branches, depth)));
      }
      if (then !== undefined && this.#options.random() < 0.5) parts.push(this.#followed(then));
      if (parts.length === 0) return rest;
      this.#read(parts.length);
      if (parts.length > MAX_PARTS)
        throw new UnsatisfiableSchemaError('the schema has too many parts');
      // A schema that is referred to repeatedly counts once.
      const combined = [rest, ...new Set(parts.filter(isObject))];
      for (const part of combined) {
        this.#step(entriesOf(part));
        this.#read(listedIn(part));
      }
      flat = combine(combined);
    }
    throw new UnsatisfiableSchemaError('circular references');
  }

  #followed(schema: unknown): unknown {
    let found = schema;
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      if (found === false) throw new UnsatisfiableSchemaError('no value is valid');
      if (!isObject(found) || typeof found['$ref'] !== 'string') return found;
      found = this.#follow(found['$ref']);
    }
    throw new UnsatisfiableSchemaError('circular references');
  }

  #follow($ref: string): SchemaObject {
    this.#step(FOLLOW_STEPS);
    const { root } = this.#options;
    if ($ref === '#') return root;
    const name = unescapeToken(decodeURIComponent($ref.replace(DEFINITIONS, '')));
    const definitions = root['definitions'];
    const found = isObject(definitions) ? memberOf(definitions, name) : undefined;
    if (found === true) return {};
    if (isObject(found)) return found;
    throw new UnsatisfiableSchemaError(`reference ${$ref} not found`);
  }

  /** Prefers branches other than objects and arrays in deep values. */
  #branchOf(branches: readonly unknown[], depth: number): unknown {
    this.#read(branches.length);
    const usable = branches.filter((branch) => branch !== false);
    if (usable.length === 0) throw new UnsatisfiableSchemaError('no value is valid');
    if (depth < MIN_SMALL_DEPTH) return this.#pick(usable);
    const small = usable.filter((branch) => {
      const followed = this.#followed(branch);
      if (!isObject(followed)) return true;
      return followed['enum'] !== undefined || isScalar(followed['type']);
    });
    return this.#pick(small.length > 0 ? small : usable);
  }

  #typeOf({ type, properties, items, ...rest }: SchemaObject, depth: number): string {
    const types = Array.isArray(type) ? type.map(String) : type === undefined ? [] : [String(type)];
    if (types.length > 0) {
      const small = types.filter((each) => isScalar(each));
      return this.#pick(depth >= MIN_SMALL_DEPTH && small.length > 0 ? small : types);
    }
    if (properties !== undefined || rest['required'] !== undefined) return 'object';
    if (items !== undefined) return 'array';
    if (['pattern', 'minLength', 'maxLength', 'format'].some((key) => key in rest)) return 'string';
    if (['minimum', 'maximum', 'multipleOf'].some((key) => key in rest)) return 'number';
    return rest['additionalProperties'] === undefined ? 'null' : 'object';
  }

  #makeObject(schema: SchemaObject, depth: number, pointer: string): object {
    const { random, optionals } = this.#options;
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const listed = Array.isArray(schema['required']) ? schema['required'] : [];
    if (listed.length > MAX_PARTS) throw new UnsatisfiableSchemaError('the value is too large');
    const required = new Set(listed.map(String));
    const names = Object.keys(properties);
    const others = schema['additionalProperties'] ?? true;
    const minProperties = Number(schema['minProperties'] ?? 0);
    this.#read(names.length + required.size);
    const entries: [string, unknown][] = [];
    const add = (name: string): void => {
      this.#charge(name.length);
      const described = Object.hasOwn(properties, name) ? properties[name] : others;
      entries.push([name, this.make(described, depth + 1, joinPointer(pointer, name))]);
    };
    // A random part of very many members would be too large.
    const mayHaveOthers = depth < MIN_SMALL_DEPTH && names.length <= MAX_PARTS;
    for (const name of names) {
      const isOptional = mayHaveOthers && properties[name] !== false && !required.has(name);
      if (required.has(name) || (isOptional && random() < optionals)) add(name);
    }
    for (const name of required) if (!Object.hasOwn(properties, name)) add(name);
    const spare = depth < MIN_SMALL_DEPTH && isObject(schema['additionalProperties']) ? 2 : 0;
    if (minProperties > MAX_PARTS) throw new UnsatisfiableSchemaError('the value is too large');
    const lacking = others === false ? 0 : Math.max(minProperties, spare) - entries.length;
    for (let index = 1; index <= Math.min(lacking, MAX_PARTS); index += 1) add(`key${index}`);
    return Object.fromEntries(entries);
  }

  #makeArray(schema: SchemaObject, depth: number, pointer: string): readonly unknown[] {
    const { random } = this.#options;
    const { items, additionalItems = true } = schema;
    const minItems = Number(schema['minItems'] ?? 0);
    const maxItems = Number(schema['maxItems'] ?? minItems + SPARE_ITEMS);
    const first = Array.isArray(items) ? items : [];
    const rest = Array.isArray(items) ? additionalItems : (items ?? true);
    const spare =
      depth >= MIN_SMALL_DEPTH || rest === false ? 0 : Math.floor(random() * (SPARE_ITEMS + 1));
    if (minItems > MAX_PARTS) throw new UnsatisfiableSchemaError('the value is too large');
    const wanted = Math.max(minItems, first.length, Array.isArray(items) ? 0 : minItems + spare);
    const length = Math.min(wanted, maxItems, rest === false ? first.length : MAX_PARTS);
    const elements = Array.from({ length }, (_, index) =>
      this.make(index < first.length ? first[index] : rest, depth + 1, `${pointer}/${index}`),
    );
    return schema['uniqueItems'] === true ? this.#unique(elements) : elements;
  }

  #unique(elements: readonly unknown[]): readonly unknown[] {
    const byText = new Map<string, unknown>();
    for (const element of elements) {
      const text = JSON.stringify(element);
      this.#read(text.length);
      byText.set(text, element);
    }
    return [...byText.values()];
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.min(from.length - 1, Math.floor(this.#options.random() * from.length))]!;
  }
}

/** Returns the examples or the default of a schema; `example` comes from OpenAPI. */
function examplesOf(schema: SchemaObject): readonly unknown[] {
  const { examples, example } = schema;
  const shown = Array.isArray(examples) ? examples : [];
  if (shown.length > 0) return shown;
  if (example !== undefined) return [example];
  return 'default' in schema ? [schema['default']] : [];
}

function isScalar(type: unknown): boolean {
  const types = Array.isArray(type) ? type : [type];
  return types.some((each) => typeof each === 'string' && each !== 'object' && each !== 'array');
}
