import jsf from 'json-schema-faker';
import { Unmakeable } from './unmakeable.ts';
import type { SchemaObject } from './combine-schemas.ts';

/** A string, number, boolean or null for a schema that refers to nothing. */
export function makeScalar(schema: SchemaObject, random: () => number): unknown {
  const { type, pattern, format, minLength, maxLength, multipleOf } = schema;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const asked = Object.entries({
    type,
    pattern,
    // What a pattern asks for is met only when nothing else is made of the text.
    ...(pattern === undefined ? { format, minLength, maxLength } : {}),
    multipleOf,
    minimum,
    maximum,
    exclusiveMinimum,
    exclusiveMaximum,
  }).filter(([, value]) => value !== undefined);
  // The options are the library's own state: set for every value, which is made at once.
  jsf.option({
    random,
    minDateTime: '2020-01-01T00:00:00Z',
    maxDateTime: '2030-01-01T00:00:00Z',
    defaultRandExpMax: 8,
    failOnInvalidTypes: false,
    failOnInvalidFormat: false,
  });
  try {
    return jsf.generate(Object.fromEntries(asked));
  } catch (error) {
    throw new Unmakeable((error as Error).message);
  }
}
