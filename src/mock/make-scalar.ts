import jsf from 'json-schema-faker';
import { MAX_OPEN_REPEATS, sizeOfPattern } from './pattern-size.ts';
import { Unmakeable } from './unmakeable.ts';
import type { SchemaObject } from './combine-schemas.ts';

const NUMBERS = ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];

/** Those that say something of a type. Any other is satisfied, and would mislead the library. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['pattern', 'format', 'minLength', 'maxLength'],
  number: NUMBERS,
  integer: NUMBERS,
};

export interface ScalarOptions {
  readonly random: () => number;
  /** Of a text. */
  readonly maxCharacters: number;
}

/**
 * Makes a string, number, boolean or null for a schema that refers to nothing.
 *
 * @throws Unmakeable when it would be larger than allowed
 */
export function makeScalar(
  schema: SchemaObject,
  { random, maxCharacters }: ScalarOptions,
): unknown {
  const { type } = schema;
  const keywords = KEYWORDS[String(type)] ?? [];
  const asked = keywords.flatMap((keyword) => {
    // What a pattern asks for is met only when nothing else is made of the text.
    const isLost = type === 'string' && keyword !== 'pattern' && schema['pattern'] !== undefined;
    const value = isLost ? undefined : schema[keyword];
    return value === undefined ? [] : [[keyword, value]];
  });
  if (type === 'string') refuseLongText(schema, maxCharacters);
  if (type === 'number' || type === 'integer') refuseFineSteps(schema);
  // The options are the library's own state: set for every value, which is made at once.
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
    throw new Unmakeable((error as Error).message);
  }
}

function refuseLongText({ pattern, minLength }: SchemaObject, maxCharacters: number): void {
  const isLong =
    typeof pattern === 'string'
      ? sizeOfPattern(pattern) > maxCharacters
      : Number(minLength ?? 0) > maxCharacters;
  if (isLong) throw new Unmakeable('the texts would be too long');
}

/** The library counts steps, and never ends where one is lost in rounding. */
function refuseFineSteps({ multipleOf, ...bounds }: SchemaObject): void {
  if (typeof multipleOf !== 'number') return;
  for (const keyword of NUMBERS) {
    const steps = Math.abs(Number(bounds[keyword] ?? 0) / multipleOf);
    if (steps <= Number.MAX_SAFE_INTEGER) continue;
    throw new Unmakeable(`${keyword} is too many times multipleOf`);
  }
}
