import { createHash } from 'node:crypto';
import { isObject } from '../json/value.ts';
import { countedSteps, TooManyCallsError } from '../validators-runtime/helpers.js';
import type { SchemaObject } from './combine-schemas.ts';
import { UnsatisfiableSchemaError } from './unsatisfiable.ts';
import { MAX_STEPS, ValueMaker } from './value-maker.ts';

/** Maximum number of values generated per schema. */
const MAX_ATTEMPTS = 40;

/** From this attempt on, values have no examples, defaults or optional members. */
const PLAIN_ATTEMPT = MAX_ATTEMPTS / 2;

/** Fraction of optional members in the first attempt. */
const OPTIONALS = 0.8;

interface InvalidPlace {
  /** RFC 6901. */
  readonly pointer: string;
}

interface MakeOptions {
  readonly validate: (value: unknown) => readonly InvalidPlace[];
  /** Holds the `definitions` that the schema refers to; by default the schema itself. */
  readonly root?: SchemaObject;
}

/** A value, or why the last attempt failed; null if its value was invalid. */
type MadeValue = { readonly value: unknown } | { readonly problem: string | null };

/**
 * Generates a valid value for a schema, the same for the same words. After an invalid value it tries
 * another seed with fewer optional members, and without the examples and defaults that made it
 * invalid. The steps of all attempts, to generate values and to validate them, have one limit, because
 * nothing else runs in the meantime.
 */
export function makeValue(
  schema: unknown,
  options: MakeOptions,
  words: readonly string[],
): MadeValue {
  const root = options.root ?? (isObject(schema) ? schema : {});
  const distrusted = new Set<SchemaObject>();
  let problem: string | null = null;
  let stepsToMake = 0;
  const start = countedSteps();
  const steps = () => stepsToMake + countedSteps() - start;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && steps() < MAX_STEPS; attempt += 1) {
    const maker = new ValueMaker({
      root,
      random: seededRandom(...words, String(attempt)),
      optionals: Math.max(0, OPTIONALS * (1 - attempt / PLAIN_ATTEMPT)),
      trusts: (each) => attempt < PLAIN_ATTEMPT && !distrusted.has(each),
    });
    const made = make(maker, schema);
    stepsToMake += maker.steps;
    problem = 'problem' in made ? made.problem : null;
    if ('problem' in made) continue;
    const violations = options.validate(made.value);
    if (violations.length === 0) return made;
    for (const taken of maker.taken) {
      if (violations.some((each) => concerns(each, taken.pointer))) distrusted.add(taken.schema);
    }
  }
  return { problem };
}

/** If all alternatives fail, the violation is reported for the enclosing value. */
function concerns({ pointer }: InvalidPlace, taken: string): boolean {
  return `${pointer}/`.startsWith(`${taken}/`) || `${taken}/`.startsWith(`${pointer}/`);
}

function make(maker: ValueMaker, schema: unknown): MadeValue {
  try {
    return { value: maker.make(schema) };
  } catch (error) {
    const isTooMuch = error instanceof TooManyCallsError;
    if (!isTooMuch && !(error instanceof UnsatisfiableSchemaError)) throw error;
    return { problem: error.message };
  }
}

/** Returns a generator of numbers from 0 to 1 that is seeded by words. */
export function seededRandom(...words: readonly string[]): () => number {
  let state = createHash('sha256').update(JSON.stringify(words)).digest().readUInt32LE();
  // Mulberry32: 32 bits of state suffice, since the numbers need not be unpredictable.
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
