import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { makeValue } from '../../common/make-value/make-value.ts';
import { objectAt } from '../schema/document-schemas.ts';
import { branchesOf } from '../schema/subschemas.ts';
import { isSame } from '../containment/canonical.ts';
import type { Contract, VerifiedMethod } from './contract.ts';

/** A value of a result that may be used as a param. */
export interface LearnedValue {
  readonly value: Json;
  /** Name of the member that held it: "blockHash". */
  readonly name: string;
  /** Name of the method with the result. */
  readonly method: string;
}

/** Maximum number of values that are kept for a schema. */
const MAX_VALUES = 24;

/** Maximum length of a value: it is sent as a param, and shown in reports. */
const MAX_LENGTH = 10_000;

/** Maximum number of values of a result that are examined, each once for each of its schemas. */
const MAX_EXAMINED = 20_000;

/** The same for all examples of a document together. */
const MAX_EXAMINED_IN_EXAMPLES = 1_000_000;

/** Maximum number of elements of an array that are examined. */
const MAX_ELEMENTS = 20;

/**
 * Real values for calls: those of examples, of a file, and of earlier results, by the component
 * schemas they were found under. Calls with such values return data.
 */
export class Seeds {
  readonly #contract: Contract;
  readonly #values = new Map<string, LearnedValue[]>();
  #leftForExamples = MAX_EXAMINED_IN_EXAMPLES;

  constructor(contract: Contract) {
    this.#contract = contract;
    for (const method of contract.methods) {
      for (const { params, result } of method.examples) {
        const named = Array.isArray(params)
          ? method.params.map(({ name }, index) => [name, (params as readonly Json[])[index]])
          : Object.entries(params as JsonObject);
        for (const [name, value] of named as [string, Json | undefined][]) {
          const param = method.params.find((each) => each.name === name);
          if (param !== undefined && value !== undefined) {
            this.#learnExample(param.schema, value, { name, method: method.name });
          }
        }
        if (result === undefined || this.#leftForExamples <= 0) continue;
        const from = { name: 'result', method: method.name };
        this.#learnExample(method.result ?? true, JSON.parse(result) as Json, from);
      }
    }
  }

  #learnExample(schema: Schema, value: Json, from: Omit<LearnedValue, 'value'>): void {
    const limit = Math.min(MAX_EXAMINED, this.#leftForExamples);
    this.#leftForExamples -= this.#walk(schema, value, { from, limit });
  }

  /** Adds values by the names of component schemas; they are used before others. */
  add(values: Readonly<Record<string, readonly Json[]>>): void {
    for (const [component, list] of Object.entries(values)) {
      const given = list.map((value) => ({ value, name: '', method: 'the seeds file' }));
      this.#values.set(component, [...given, ...this.of(component)]);
    }
  }

  /** Keeps the values of a result that have component schemas. */
  learn(method: VerifiedMethod, result: Json): void {
    const from = { name: 'result', method: method.name };
    this.#walk(method.result ?? true, result, { from, limit: MAX_EXAMINED });
  }

  /** Returns the known values of a component schema. */
  of(component: string): readonly LearnedValue[] {
    return this.#values.get(component) ?? [];
  }

  /** Returns a valid value, a real one if possible; undefined if none could be generated. */
  make(schema: Schema, words: readonly string[] = []): Json | undefined {
    const { check, resolve, model } = this.#contract;
    const { name } = resolve(schema);
    const known = name === null ? [] : this.of(name);
    const real = known.find(({ value }) => check(schema, value).length === 0);
    if (words.length === 0 && real !== undefined) return real.value;
    const root = { definitions: objectAt(objectAt(model.document, 'components'), 'schemas') };
    const validate = (value: unknown) =>
      check(schema, value as Json).map(({ path }) => ({ pointer: path }));
    const made = makeValue(schema, { validate, root }, words);
    return 'value' in made ? (made.value as Json) : undefined;
  }

  #keep(component: string, learned: LearnedValue): void {
    const values = this.#values.get(component) ?? [];
    this.#values.set(component, values);
    const isKnown = values.some(
      ({ value, name }) => name === learned.name && isSame(value, learned.value),
    );
    if (!isKnown && values.length < MAX_VALUES) values.push(learned);
  }

  /** Returns how many values were examined. */
  #walk(
    root: Schema,
    value: Json,
    { from, limit }: { readonly from: Omit<LearnedValue, 'value'>; readonly limit: number },
  ): number {
    const ahead: Place[] = [{ schema: root, value, name: from.name }];
    let count = 0;
    for (let next = ahead.pop(); next !== undefined && count < limit; next = ahead.pop()) {
      for (const { schema, name } of this.#alternatives(next.schema, limit - count)) {
        count += 1;
        const isScalar = typeof next.value !== 'object';
        const isLong = typeof next.value === 'string' && next.value.length > MAX_LENGTH;
        if (name !== null && isScalar && !isLong) {
          this.#keep(name, { value: next.value, name: next.name, method: from.method });
        }
        if (isObject(schema)) ahead.push(...partsOf(schema, next));
      }
    }
    return count;
  }

  /** Returns a schema and the branches below it, with the names of components, each once. */
  #alternatives(root: Schema, limit: number) {
    const found: ReturnType<Contract['resolve']>[] = [];
    const seen = new Set<Schema>();
    const ahead = [root];
    for (let next = ahead.pop(); next !== undefined && found.length < limit; next = ahead.pop()) {
      const resolved = this.#contract.resolve(next);
      if (seen.has(resolved.schema) && isObject(resolved.schema)) continue;
      seen.add(resolved.schema);
      found.push(resolved);
      if (isObject(resolved.schema)) ahead.push(...branchesOf(resolved.schema));
    }
    return found;
  }
}

interface Place {
  readonly schema: Schema;
  readonly value: Json;
  readonly name: string;
}

/** Returns the elements or members of a value with their schemas. */
function partsOf(schema: JsonObject, { value, name }: Place): readonly Place[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined || Array.isArray(items)) return [];
    const elements = value.slice(0, MAX_ELEMENTS) as readonly Json[];
    return elements.map((each) => ({ schema: items as Schema, value: each, name }));
  }
  if (!isObject(value)) return [];
  const properties = objectAt(schema, 'properties');
  return Object.keys(value)
    .filter((key) => Object.hasOwn(properties, key))
    .slice(0, MAX_EXAMINED)
    .map((key) => ({ schema: properties[key] as Schema, value: value[key]!, name: key }));
}
