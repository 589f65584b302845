import type { Violation } from '../../common/validators-runtime/violations.js';
import type { Validate } from '../rpc/call.ts';
import { isSchemaObject, type SchemaObject } from './combine-schemas.ts';
import { ValueMaker } from './make-value.ts';
import { seededRandom } from './seeded.ts';
import { Unmakeable } from './unmakeable.ts';

/** Values that are made before a schema is given up. */
const MOST_TRIES = 40;

/** From here on no examples and defaults are taken, and no optional members made. */
const PLAIN_TRY = MOST_TRIES / 2;

/** Share of the optional members that the first tries have. */
const OPTIONALS = 0.8;

/** A value that was made, or why the last try made none (null: what it made was invalid). */
export type FakeResult = { readonly value: unknown } | { readonly problem: string | null };

/**
 * A value that is valid for a schema, the same for the same words, unless none was found.
 * A value that falls short is made again from another seed, with ever fewer optional members, and
 * without the examples and defaults that made it invalid.
 */
export function fakeResult(
  schema: unknown,
  validate: Validate,
  words: readonly string[],
): FakeResult {
  const root = isSchemaObject(schema) ? schema : {};
  const distrusted = new Set<SchemaObject>();
  let problem: string | null = null;
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const maker = new ValueMaker({
      root,
      random: seededRandom(...words, String(attempt)),
      optionals: Math.max(0, OPTIONALS * (1 - attempt / PLAIN_TRY)),
      trusts: (each) => attempt < PLAIN_TRY && !distrusted.has(each),
    });
    const made = make(maker, schema);
    problem = 'problem' in made ? made.problem : null;
    if ('problem' in made) continue;
    const violations = validate(made.value);
    if (violations.length === 0) return made;
    for (const taken of maker.taken) {
      if (violations.some((each) => concerns(each, taken.pointer))) distrusted.add(taken.schema);
    }
  }
  return { problem };
}

/** Of alternatives that all fail, the violation is told of the value that has the invalid one in it. */
function concerns({ pointer }: Violation, taken: string): boolean {
  return `${pointer}/`.startsWith(`${taken}/`) || `${taken}/`.startsWith(`${pointer}/`);
}

function make(maker: ValueMaker, schema: unknown): FakeResult {
  try {
    return { value: maker.make(schema) };
  } catch (error) {
    if (error instanceof Unmakeable) return { problem: error.message };
    throw error;
  }
}
