import { unescapeToken } from '../../common/json/pointer.ts';
import { makeScalar } from './make-scalar.ts';
import { Unmakeable } from './unmakeable.ts';
import { combine, isSchemaObject, type SchemaObject } from './combine-schemas.ts';

/** Values within a value; a schema may ask for more than anyone could hold. */
const MOST_PARTS = 2_000;

/** Characters of all texts in a value. */
const MAX_TEXT_CHARACTERS = 100_000;

/** Levels of a value. A schema that requires itself has no value, but asks for another level always. */
const MAX_DEPTH = 100;

/** Below this only what is required is made, and the smallest that will do. */
const DEEP = 5;

/** References that follow on one another without a value between. */
const MOST_HOPS = 64;

/** Elements of an array beyond those it must have. */
const SPARE_ITEMS = 3;

export interface MakerOptions {
  /** Whose `definitions` the references `#/definitions/<name>` name. */
  readonly root: SchemaObject;
  readonly random: () => number;
  /** Share of the optional members that are made. */
  readonly optionals: number;
  /** Whether the examples and the default of a schema may be taken: nobody checked that they are valid. */
  readonly trusts: (schema: SchemaObject) => boolean;
}

/** An example or a default that was taken. */
export interface TakenValue {
  /** Where it stands in the value (RFC 6901). */
  readonly pointer: string;
  readonly schema: SchemaObject;
}

/**
 * Makes values from a JSON Schema of draft-07. They follow its structure, its enumerations, its
 * examples and defaults; of what else it asks (`not`, `if`, `contains`, …) they may fall short, so the caller
 * validates them.
 */
export class ValueMaker {
  readonly #options: MakerOptions;
  readonly taken: TakenValue[] = [];
  #parts = 0;
  #charactersLeft = MAX_TEXT_CHARACTERS;

  constructor(options: MakerOptions) {
    this.#options = options;
  }

  /** Throws Unmakeable. */
  make(schema: unknown, depth = 0, pointer = ''): unknown {
    this.#parts += 1;
    if (this.#parts > MOST_PARTS) throw new Unmakeable('the value would be too large');
    if (depth > MAX_DEPTH) throw new Unmakeable('the value would be nested too deep');
    if (schema === false) throw new Unmakeable('there is no such value');
    if (!isSchemaObject(schema)) return null;
    const flat = this.#flatten(schema, depth);
    if ('const' in flat) return flat['const'];
    const allowed = flat['enum'];
    if (Array.isArray(allowed) && allowed.length > 0) return this.#pick(allowed);
    const given = givenBy(flat);
    if (given.length > 0 && this.#options.trusts(schema)) {
      this.taken.push({ pointer, schema });
      return this.#pick(given);
    }
    const type = this.#typeOf(flat, depth);
    if (type === 'object') return this.#makeObject(flat, depth, pointer);
    if (type === 'array') return this.#makeArray(flat, depth, pointer);
    return this.#makeScalar({ ...flat, type });
  }

  #makeScalar(schema: SchemaObject): unknown {
    const { random } = this.#options;
    const made = makeScalar(schema, { random, maxCharacters: this.#charactersLeft });
    if (typeof made === 'string') this.#charactersLeft -= made.length;
    return made;
  }

  /** Follows references and takes one branch of each alternative. */
  #flatten(schema: SchemaObject, depth: number): SchemaObject {
    let flat = schema;
    for (let hops = 0; hops < MOST_HOPS; hops += 1) {
      const { $ref, allOf, anyOf, oneOf, then, ...rest } = flat;
      if (typeof $ref === 'string') {
        flat = this.#follow($ref);
        continue;
      }
      const parts: unknown[] = [];
      if (Array.isArray(allOf)) parts.push(...allOf.map((part) => this.#followed(part)));
      for (const branches of [anyOf, oneOf]) {
        if (Array.isArray(branches)) parts.push(this.#followed(this.#branchOf(branches, depth)));
      }
      if (then !== undefined && this.#options.random() < 0.5) parts.push(this.#followed(then));
      if (parts.length === 0) return rest;
      if (parts.length > MOST_PARTS) throw new Unmakeable('the schema has too many parts');
      flat = combine(rest, parts.filter(isSchemaObject));
    }
    throw new Unmakeable('references go in a circle');
  }

  #followed(schema: unknown): unknown {
    let found = schema;
    for (let hops = 0; hops < MOST_HOPS; hops += 1) {
      if (found === false) throw new Unmakeable('there is no such value');
      if (!isSchemaObject(found) || typeof found['$ref'] !== 'string') return found;
      found = this.#follow(found['$ref']);
    }
    throw new Unmakeable('references go in a circle');
  }

  #follow($ref: string): SchemaObject {
    const { root } = this.#options;
    if ($ref === '#') return root;
    const name = unescapeToken(decodeURIComponent($ref.replace('#/definitions/', '')));
    const definitions = root['definitions'];
    const found = isSchemaObject(definitions) ? definitions[name] : undefined;
    if (found === true) return {};
    if (isSchemaObject(found)) return found;
    throw new Unmakeable(`${$ref} leads to no value`);
  }

  /** Deep down, a branch that is no object or array, if there is one. */
  #branchOf(branches: readonly unknown[], depth: number): unknown {
    const usable = branches.filter((branch) => branch !== false);
    if (usable.length === 0) throw new Unmakeable('there is no such value');
    if (depth < DEEP) return this.#pick(usable);
    const small = usable.filter((branch) => {
      const followed = this.#followed(branch);
      if (!isSchemaObject(followed)) return true;
      return followed['enum'] !== undefined || isScalar(followed['type']);
    });
    return this.#pick(small.length > 0 ? small : usable);
  }

  #typeOf({ type, properties, items, ...rest }: SchemaObject, depth: number): string {
    const types = Array.isArray(type) ? type.map(String) : type === undefined ? [] : [String(type)];
    if (types.length > 0) {
      const small = types.filter((each) => isScalar(each));
      return this.#pick(depth >= DEEP && small.length > 0 ? small : types);
    }
    if (properties !== undefined || rest['required'] !== undefined) return 'object';
    if (items !== undefined) return 'array';
    if (['pattern', 'minLength', 'maxLength', 'format'].some((key) => key in rest)) return 'string';
    if (['minimum', 'maximum', 'multipleOf'].some((key) => key in rest)) return 'number';
    return rest['additionalProperties'] === undefined ? 'null' : 'object';
  }

  #makeObject(schema: SchemaObject, depth: number, pointer: string): object {
    const { random, optionals } = this.#options;
    const properties = isSchemaObject(schema['properties']) ? schema['properties'] : {};
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
    const others = schema['additionalProperties'] ?? true;
    const least = Number(schema['minProperties'] ?? 0);
    const entries: [string, unknown][] = [];
    const add = (name: string): void => {
      const described = Object.hasOwn(properties, name) ? properties[name] : others;
      const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
      entries.push([name, this.make(described, depth + 1, `${pointer}/${token}`)]);
    };
    for (const name of new Set([...Object.keys(properties), ...required])) {
      const isRequired = required.includes(name);
      if (isRequired || (depth < DEEP && properties[name] !== false && random() < optionals)) {
        add(name);
      }
    }
    const spare = depth < DEEP && isSchemaObject(schema['additionalProperties']) ? 2 : 0;
    if (least > MOST_PARTS) throw new Unmakeable('the value would be too large');
    const lacking = others === false ? 0 : Math.max(least, spare) - entries.length;
    for (let index = 1; index <= Math.min(lacking, MOST_PARTS); index += 1) add(`key${index}`);
    return Object.fromEntries(entries);
  }

  #makeArray(schema: SchemaObject, depth: number, pointer: string): readonly unknown[] {
    const { random } = this.#options;
    const { items, additionalItems = true } = schema;
    const least = Number(schema['minItems'] ?? 0);
    const most = Number(schema['maxItems'] ?? least + SPARE_ITEMS);
    const first = Array.isArray(items) ? items : [];
    const rest = Array.isArray(items) ? additionalItems : (items ?? true);
    const spare = depth >= DEEP || rest === false ? 0 : Math.floor(random() * (SPARE_ITEMS + 1));
    if (least > MOST_PARTS) throw new Unmakeable('the value would be too large');
    const wished = Math.max(least, first.length, Array.isArray(items) ? 0 : least + spare);
    const length = Math.min(wished, most, rest === false ? first.length : MOST_PARTS);
    const elements = Array.from({ length }, (_, index) =>
      this.make(index < first.length ? first[index] : rest, depth + 1, `${pointer}/${index}`),
    );
    return schema['uniqueItems'] === true ? unique(elements) : elements;
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.min(from.length - 1, Math.floor(this.#options.random() * from.length))]!;
  }
}

/** The values a schema shows: `example` is OpenAPI's, and many documents have it. */
function givenBy(schema: SchemaObject): readonly unknown[] {
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

function unique(elements: readonly unknown[]): readonly unknown[] {
  return [...new Map(elements.map((element) => [JSON.stringify(element), element])).values()];
}
