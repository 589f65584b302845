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

/** Maximum number of values of a result that are examined. */
const MAX_EXAMINED = 20_000;

/** Maximum number of elements of an array that are examined. */
const MAX_ELEMENTS = 20;

/**
 * Real values for calls: those of examples, of a file, and of earlier results, by the component
 * schemas they were found under. Calls with such values return data.
 */
export class Seeds {
  readonly #contract: Contract;
  readonly #values = new Map<string, LearnedValue[]>();

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
            this.#walk(param.schema, value, { name, method: method.name });
          }
        }
        if (result !== undefined) this.learn(method, JSON.parse(result) as Json);
      }
    }
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
    this.#walk(method.result ?? true, result, { name: 'result', method: method.name });
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

  #walk(root: Schema, value: Json, from: Omit<LearnedValue, 'value'>): void {
    const ahead: { schema: Schema; value: Json; name: string }[] = [
      { schema: root, value, name: from.name },
    ];
    for (let count = 0; count < MAX_EXAMINED; count += 1) {
      const next = ahead.pop();
      if (next === undefined) return;
      const { schema, name } = this.#contract.resolve(next.schema);
      const isScalar = typeof next.value !== 'object';
      const isLong = typeof next.value === 'string' && next.value.length > MAX_LENGTH;
      if (name !== null && isScalar && !isLong) {
        this.#keep(name, { value: next.value, name: next.name, method: from.method });
      }
      if (!isObject(schema)) continue;
      for (const each of branchesOf(schema)) ahead.push({ ...next, schema: each });
      if (Array.isArray(next.value)) {
        const { items } = schema;
        if (items === undefined || Array.isArray(items)) continue;
        for (const each of next.value.slice(0, MAX_ELEMENTS) as Json[]) {
          ahead.push({ schema: items as Schema, value: each, name: next.name });
        }
      } else if (isObject(next.value)) {
        const properties = objectAt(schema, 'properties');
        for (const key of Object.keys(next.value)) {
          if (!Object.hasOwn(properties, key)) continue;
          ahead.push({ schema: properties[key] as Schema, value: next.value[key]!, name: key });
        }
      }
    }
  }
}
