import jsf from 'json-schema-faker';
import type { Validate } from '../rpc/call.ts';
import { seededRandom } from './seeded.ts';

/** Values that are made before a schema is given up. */
const MOST_TRIES = 40;

/** Share of the optional members that the first tries have; the last tries have none. */
const OPTIONALS = 0.8;

/** References within references a value may go through. */
const MOST_DEPTH = 24;

/**
 * A value that is valid for a schema, the same for the same words; undefined when none was found.
 * What the maker of values gets wrong is tried again from another seed.
 */
export function fakeResult(
  schema: unknown,
  validate: Validate,
  words: readonly string[],
): { readonly value: unknown } | undefined {
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const random = seededRandom(...words, String(attempt));
    const optionals = Math.max(0, OPTIONALS * (1 - attempt / (MOST_TRIES / 2)));
    const value = makeValue(schema, random, optionals);
    if (value !== undefined && validate(value).length === 0) return { value };
  }
  return undefined;
}

function makeValue(schema: unknown, random: () => number, optionalsProbability: number): unknown {
  // The options are the library's own state: set for every value, which is made at once.
  jsf.option({
    random,
    optionalsProbability,
    useExamplesValue: true,
    useDefaultValue: true,
    refDepthMin: 1,
    refDepthMax: MOST_DEPTH,
    maxItems: 3,
    minDateTime: '2020-01-01T00:00:00Z',
    maxDateTime: '2030-01-01T00:00:00Z',
    ignoreMissingRefs: true,
    failOnInvalidTypes: false,
    failOnInvalidFormat: false,
  });
  try {
    return jsf.generate(structuredClone(schema) as object);
  } catch {
    return undefined;
  }
}
