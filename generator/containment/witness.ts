import { Ajv, type ValidateFunction } from 'ajv';
import { isObject, type Json, type Schema } from '../../common/json/value.ts';
import { subschemasOf } from '../schema/subschemas.ts';
import { linearPattern } from '../violations/linear-pattern.ts';
import { formats } from '../../common/validators-runtime/formats.js';
import type { Node, Pool } from './pool.ts';

interface Pair {
  readonly inner: Node;
  readonly outer: Node;
}

/** Returns, by Ajv, whether a value is valid under the inner schema and not under the outer. */
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

  return (value, { inner, outer }) => {
    const [isIn, isOut] = [compile(inner), compile(outer)];
    // What Ajv cannot compile or run (a schema that is nothing but itself) confirms nothing.
    return isIn !== null && isOut !== null && tryTo(() => isIn(value) && !isOut(value)) === true;
  };
}

function tryTo<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
