import jsf from 'json-schema-faker';
import type { SchemaObject } from './combine-schemas.ts';
import { MAX_OPEN_REPEATS, sizeOfPattern } from './pattern-size.ts';

const NUMBERS = ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];

/** Keywords that apply to a type; others have no effect and would mislead json-schema-faker. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['pattern', 'format', 'minLength', 'maxLength'],
  number: NUMBERS,
  integer: NUMBERS,
};

export interface ScalarOptions {
  readonly random: () => number;
  readonly maxCharacters: number;
}

/**
 * Generates a string, number, boolean or null for a schema without references.
 *
 * @throws UnsatisfiableSchemaError if it would be too large
 */
export function makeScalar(
  schema: SchemaObject,
  { random, maxCharacters }: ScalarOptions,
): unknown {
  const { type } = schema;
  const keywords = KEYWORDS[String(type)] ?? [];
  const asked = keywords.flatMap((keyword) => {
    // A pattern is only satisfied without further keywords.
    const isLost = type === 'string' && keyword !== 'pattern' && schema['pattern'] !== undefined;
    const value = isLost ? undefined : schema[keyword];
    return value === undefined ? [] : [[keyword, value]];
  });
  if (type === 'string') refuseLongText(schema, maxCharacters);
  if (type === 'number' || type === 'integer') refuseFineSteps(schema);
  // The options are global state of json-schema-faker, so they are set for each value.
  jsf.option({
    random,
    minDateTime: '2020-01-01T00:00:00Z',
    maxDateTime: '2030-01-01T00:00:00Z',
    defaultRandExpMax: MAX_OPEN_REPEATS,
    failOnInvalidTypes: false,
    failOnInvalidFormat: false,
  });
  try {
    return jsf.generate({ ...Object.fromEntries(asked), type });
  } catch (error) {
    throw new UnsatisfiableSchemaError((error as Error).message);
  }
}

function refuseLongText({ pattern, minLength }: SchemaObject, maxCharacters: number): void {
  const isLong =
    typeof pattern === 'string'
      ? sizeOfPattern(pattern) > maxCharacters
      : Number(minLength ?? 0) > maxCharacters;
  if (isLong) throw new UnsatisfiableSchemaError('the strings are too long');
}

/** json-schema-faker counts steps, and never ends if rounding loses one. */
function refuseFineSteps({ multipleOf, ...bounds }: SchemaObject): void {
  if (typeof multipleOf !== 'number') return;
  for (const keyword of NUMBERS) {
    const steps = Math.abs(Number(bounds[keyword] ?? 0) / multipleOf);
    if (steps <= Number.MAX_SAFE_INTEGER) continue;
    throw new UnsatisfiableSchemaError(`${keyword} is too large a multiple of multipleOf`);
  }
}

/** No value for a schema exists, or none could be generated within limits. */
export class UnsatisfiableSchemaError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'UnsatisfiableSchemaError';
  }
}
