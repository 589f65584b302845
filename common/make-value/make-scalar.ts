import jsf from 'json-schema-faker';
import type { SchemaObject } from './combine-schemas.ts';
import { makeMultiple } from './make-multiple.ts';
import { makeText } from './make-text.ts';
import { UnsatisfiableSchemaError } from './unsatisfiable.ts';

const NUMBERS = ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];

/** Keywords that apply to a type; others have no effect and would mislead json-schema-faker. */
const KEYWORDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['string', ['format', 'minLength', 'maxLength']],
  ['number', NUMBERS],
  ['integer', NUMBERS],
]);

interface ScalarOptions {
  readonly random: () => number;
  readonly maxCharacters: number;
  /** Called with the number of steps before they are taken; throws if they are too many. */
  readonly onSteps?: (steps: number) => void;
}

/**
 * Generates a string, number, boolean or null for a schema without references.
 *
 * @throws UnsatisfiableSchemaError if it would be too large
 */
export function makeScalar(
  schema: SchemaObject,
  { random, maxCharacters, onSteps }: ScalarOptions,
): unknown {
  const { type } = schema;
  const asked = (KEYWORDS.get(type) ?? []).flatMap((keyword) => {
    const value = schema[keyword];
    // It finds inherited members of its table of formats.
    const isInherited = keyword === 'format' && String(value) in Object.prototype;
    return value === undefined || isInherited ? [] : [[keyword, value]];
  });
  if (type === 'string') {
    const { pattern, minLength = 0 } = schema;
    if (typeof pattern === 'string') return makeText(pattern, { random, maxCharacters, onSteps });
    if (Number(minLength) > maxCharacters) {
      throw new UnsatisfiableSchemaError('the strings are too long');
    }
  }
  if (type === 'number' || type === 'integer') {
    const { multipleOf } = schema;
    if (typeof multipleOf === 'number' && !Number.isInteger(multipleOf)) {
      const made = makeMultiple(schema, multipleOf, random);
      if (made !== null) return made;
      throw new UnsatisfiableSchemaError('no multiple of multipleOf found within the bounds');
    }
    refuseFineSteps(schema);
  }
  // The options are global state of json-schema-faker, so they are set for each value.
  jsf.option({
    random,
    minDateTime: '2020-01-01T00:00:00Z',
    maxDateTime: '2030-01-01T00:00:00Z',
    failOnInvalidTypes: false,
    failOnInvalidFormat: false,
  });
  try {
    return jsf.generate({ ...Object.fromEntries(asked), type });
  } catch (error) {
    // For an unexpected error, the message is a stack trace.
    const [reason = ''] = (error as Error).message.split('\n', 1);
    throw new UnsatisfiableSchemaError(reason.replace(/^\w*Error: /, ''));
  }
}

/** json-schema-faker counts in steps of `multipleOf`, and never ends if a step is lost to rounding. */
function refuseFineSteps({ multipleOf, ...bounds }: SchemaObject): void {
  if (typeof multipleOf !== 'number') return;
  for (const keyword of NUMBERS) {
    const steps = Math.abs(Number(bounds[keyword] ?? 0) / multipleOf);
    if (steps <= Number.MAX_SAFE_INTEGER) continue;
    throw new UnsatisfiableSchemaError(`${keyword} is too large a multiple of multipleOf`);
  }
}
