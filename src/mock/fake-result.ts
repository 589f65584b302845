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

/**
 * A value that is valid for a schema, the same for the same words; undefined when none was found.
 * A value that falls short is made again from another seed, with ever fewer optional members, and
 * without the examples and defaults that made it invalid.
 */
export function fakeResult(
  schema: unknown,
  validate: Validate,
  words: readonly string[],
): { readonly value: unknown } | undefined {
  const root = isSchemaObject(schema) ? schema : {};
  const distrusted = new Set<SchemaObject>();
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const maker = new ValueMaker({
      root,
      random: seededRandom(...words, String(attempt)),
      optionals: Math.max(0, OPTIONALS * (1 - attempt / PLAIN_TRY)),
      trusts: (each) => attempt < PLAIN_TRY && !distrusted.has(each),
    });
    const value = make(maker, schema);
    if (value === undefined) continue;
    const violations = validate(value);
    if (violations.length === 0) return { value };
    for (const taken of maker.taken) {
      if (violations.some((each) => concerns(each, taken.pointer))) distrusted.add(taken.schema);
    }
  }
  return undefined;
}

/** Of alternatives that all fail, the violation is told of the value that has the invalid one in it. */
function concerns({ pointer }: Violation, taken: string): boolean {
  return `${pointer}/`.startsWith(`${taken}/`) || `${taken}/`.startsWith(`${pointer}/`);
}

function make(maker: ValueMaker, schema: unknown): unknown {
  try {
    return maker.make(schema);
  } catch (error) {
    if (error instanceof Unmakeable) return undefined;
    throw error;
  }
}
