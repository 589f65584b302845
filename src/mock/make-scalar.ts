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

/** Of a text that is made for a pattern. */
const MAX_TEXT_CHARACTERS = 100_000;

/** A string, number, boolean or null for a schema that refers to nothing. */
export function makeScalar(schema: SchemaObject, random: () => number): unknown {
  const { type } = schema;
  const keywords = KEYWORDS[String(type)] ?? [];
  const asked = keywords.flatMap((keyword) => {
    // What a pattern asks for is met only when nothing else is made of the text.
    const isLost = type === 'string' && keyword !== 'pattern' && schema['pattern'] !== undefined;
    const value = isLost ? undefined : schema[keyword];
    return value === undefined ? [] : [[keyword, value]];
  });
  const { pattern } = schema;
  if (
    type === 'string' &&
    typeof pattern === 'string' &&
    sizeOfPattern(pattern) > MAX_TEXT_CHARACTERS
  ) {
    throw new Unmakeable(`the pattern asks for more than ${MAX_TEXT_CHARACTERS} characters`);
  }
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
