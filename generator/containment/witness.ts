import { Ajv, type ValidateFunction } from 'ajv';
import { isObject, type Json, type Schema } from '../../common/json/value.ts';
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

  return (value, { inner, outer }) => {
    const [isIn, isOut] = [compile(inner), compile(outer)];
    if (isIn === null || isOut === null) return false;
    const [isInner, isOuter] = [isIn, isOut].map((isValid) => tryTo(() => isValid(value) === true));
    return (isInner ?? accepts(pool, inner, value)) && !(isOuter ?? accepts(pool, outer, value));
  };
}

function tryTo<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
