import type { Validate } from '../rpc/call.ts';
import { isSchemaObject } from './combine-schemas.ts';
import { ValueMaker } from './make-value.ts';
import { seededRandom } from './seeded.ts';
import { Unmakeable } from './unmakeable.ts';

/** Values that are made before a schema is given up. */
const MOST_TRIES = 40;

/** Share of the optional members that the first tries have; the last tries have none. */
const OPTIONALS = 0.8;

/**
 * A value that is valid for a schema, the same for the same words; undefined when none was found.
 * A value that falls short is made again from another seed, with ever fewer optional members.
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

function makeValue(schema: unknown, random: () => number, optionals: number): unknown {
  const root = isSchemaObject(schema) ? schema : {};
  try {
    return new ValueMaker({ root, random, optionals }).make(schema);
  } catch (error) {
    if (error instanceof Unmakeable) return undefined;
    throw error;
  }
}
