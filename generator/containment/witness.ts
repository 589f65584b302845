import { Ajv, type ValidateFunction } from 'ajv';
import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { subschemasOf } from '../schema/subschemas.ts';
import { accepts } from './accepts.ts';
import { linearPattern } from '../violations/linear-pattern.ts';
import { formats } from '../../common/validators-runtime/formats.js';
import type { Node, Pool } from './pool.ts';

interface Pair {
  readonly inner: Node;
  readonly outer: Node;
}

/**
 * Returns, by Ajv, whether a value is valid under the inner schema and not under the outer. A schema that
 * is a variant of itself makes Ajv exceed the stack: then the search's own validator decides.
 */
export function createWitnessCheck(pool: Pool): (value: Json, pair: Pair) => boolean {
  const ajv = new Ajv({
    strict: false,
    validateSchema: false,
    logger: false,
    // A property may be called as one that every object inherits.
    ownProperties: true,
    // The quotient of two doubles is seldom whole: 0.3 / 0.1 is 2.9999999999999996.
    multipleOfPrecision: 9,
    formats: { ...formats },
    code: { regExp: Object.assign(linearPattern, { code: 'pattern' }) },
  });
  const added = new Set<string>();
  const compiled = new Map<number, ValidateFunction | null>();

  function addReferences(schema: Schema): void {
    const ahead: Schema[] = [schema];
    for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
      if (!isObject(next)) continue;
      const reference = next['$ref'];
      if (typeof reference === 'string' && !added.has(reference)) {
        added.add(reference);
        const target = pool.resolve(reference).schema;
        ajv.addSchema(isObject(target) ? target : { allOf: [target] }, reference);
        ahead.push(target);
      }
      ahead.push(...subschemasOf(next, '').map((place) => place.schema));
    }
  }

  function compile({ id, schema }: Node): ValidateFunction | null {
    const known = compiled.get(id);
    if (known !== undefined) return known;
    addReferences(schema);
    const validate = tryTo(() => ajv.compile(schema));
    compiled.set(id, validate);
    return validate;
  }

  /**
   * Checks whether a value is valid, or returns null if Ajv cannot compile the schema. The parts of an
   * `allOf` are compiled on their own: each variant of a union is checked beside the same schema.
   */
  function isValid(node: Node, value: Json): boolean | null {
    const { allOf, ...others } = (isObject(node.schema) ? node.schema : {}) as JsonObject;
    if (Array.isArray(allOf) && Object.keys(others).length === 0) {
      const results = new Set(allOf.map((part) => isValid(pool.intern(part as Schema), value)));
      return results.has(null) ? null : !results.has(false);
    }
    const validate = compile(node);
    if (validate === null) return null;
    return tryTo(() => validate(value) === true) ?? accepts(pool, node, value);
  }

  return (value, { inner, outer }) =>
    isValid(inner, value) === true && isValid(outer, value) === false;
}

function tryTo<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
