import { Ajv, type ValidateFunction } from 'ajv';
import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { subschemasOf } from '../schema/subschemas.ts';
import { accepts, isShort } from './accepts.ts';
import type { Budget } from './budget.ts';
import { linearPattern } from '../violations/linear-pattern.ts';
import { formats } from '../../common/validators-runtime/formats.js';
import type { Node, Pool } from './pool.ts';

interface Pair {
  readonly inner: Node;
  readonly outer: Node;
}

interface ValueCheck {
  readonly value: Json;
  readonly budget: Budget;
}

/**
 * Maximum number of schemas that Ajv compiles, nested ones included: the code for a union grows with the
 * square of the number of its variants.
 */
const MAX_COMPILED = 2000;

/**
 * Creates a function that checks with Ajv whether a value is valid under the inner schema and invalid
 * under the outer one. A schema that is a variant of itself makes Ajv exceed the stack, and a large one
 * takes it too long; in both cases, the search's own validator decides.
 */
export function createWitnessCheck(
  pool: Pool,
): (value: Json, pair: Pair, budget: Budget) => boolean {
  const ajv = new Ajv({
    strict: false,
    validateSchema: false,
    logger: false,
    // A property may have the name of one that every object inherits.
    ownProperties: true,
    // The quotient of two doubles is seldom whole: 0.3 / 0.1 is 2.9999999999999996.
    multipleOfPrecision: 9,
    formats: { ...formats },
    code: { regExp: Object.assign(linearPattern, { code: 'pattern' }) },
  });
  const added = new Set<string>();
  const compiled = new Map<number, ValidateFunction | 'too-large' | null>();
  let uncompiled = MAX_COMPILED;

  /** Adds what a schema refers to; returns false for a schema with too many parts. */
  function addReferences(schema: Schema): boolean {
    const ahead: Schema[] = [schema];
    for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
      if (!isObject(next)) continue;
      uncompiled -= 1;
      if (uncompiled < 0) return false;
      const reference = next['$ref'];
      if (typeof reference === 'string' && !added.has(reference)) {
        added.add(reference);
        const target = pool.resolve(reference).schema;
        ajv.addSchema(isObject(target) ? target : { allOf: [target] }, reference);
        ahead.push(target);
      }
      for (const place of subschemasOf(next, '')) ahead.push(place.schema);
    }
    return true;
  }

  function compile({ id, schema }: Node): ValidateFunction | 'too-large' | null {
    const known = compiled.get(id);
    if (known !== undefined) return known;
    const validate = addReferences(schema) ? tryTo(() => ajv.compile(schema)) : 'too-large';
    compiled.set(id, validate);
    return validate;
  }

  /**
   * Checks whether a value is valid, or returns null if Ajv cannot compile the schema. The parts of an
   * `allOf` are compiled on their own: each variant of a union is checked beside the same schema. `known`
   * holds the results for the value: references may lead to a part in exponentially many ways.
   */
  function isValid(
    node: Node,
    { value, budget, known }: ValueCheck & { readonly known: Map<number, boolean | null> },
  ): boolean | null {
    const before = known.get(node.id);
    if (before !== undefined) return before;
    const { allOf, ...others } = (isObject(node.schema) ? node.schema : {}) as JsonObject;
    const isOnlyParts = Array.isArray(allOf) && Object.keys(others).length === 0;
    const result = isOnlyParts
      ? isEachValid(
          allOf.map((part) => isValid(pool.intern(part as Schema), { value, budget, known })),
        )
      : isValidWhole(node, { value, budget });
    known.set(node.id, result);
    return result;
  }

  function isValidWhole(node: Node, { value, budget }: ValueCheck): boolean | null {
    const validate = compile(node);
    if (validate === null) return null;
    const isOwn = validate === 'too-large' || !isShort(pool, node, value);
    const own = isOwn ? null : tryTo(() => validate(value) === true);
    return own ?? accepts(pool, node, value, budget);
  }

  return (value, { inner, outer }, budget) => {
    const check = { value, budget, known: new Map<number, boolean | null>() };
    return isValid(inner, check) === true && isValid(outer, check) === false;
  };
}

function isEachValid(results: readonly (boolean | null)[]): boolean | null {
  return results.includes(null) ? null : !results.includes(false);
}

function tryTo<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
