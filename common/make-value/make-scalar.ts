import jsf from 'json-schema-faker';
import type { SchemaObject } from './combine-schemas.ts';
import { makeMultiple } from './make-multiple.ts';

const NUMBERS = ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];

/** Keywords that apply to a type; others have no effect and would mislead json-schema-faker. */
const KEYWORDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['string', ['pattern', 'format', 'minLength', 'maxLength']],
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
  const keywords = KEYWORDS.get(type) ?? [];
  const asked = keywords.flatMap((keyword) => {
    // json-schema-faker satisfies a pattern only if there are no other keywords.
    const isLost = type === 'string' && keyword !== 'pattern' && schema['pattern'] !== undefined;
    const value = isLost ? undefined : schema[keyword];
    // It finds inherited members of its table of formats.
    const isInherited = keyword === 'format' && String(value) in Object.prototype;
    return value === undefined || isInherited ? [] : [[keyword, value]];
  });
  if (type === 'string') {
    refuseLongText(schema, maxCharacters);
    if (typeof schema['pattern'] === 'string') onSteps?.(stepsOfPattern(schema['pattern']));
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
    defaultRandExpMax: MAX_OPEN_REPEATS,
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

function refuseLongText({ pattern, minLength }: SchemaObject, maxCharacters: number): void {
  const isLong =
    typeof pattern === 'string'
      ? sizeOfPattern(pattern) > maxCharacters
      : Number(minLength ?? 0) > maxCharacters;
  if (isLong) throw new UnsatisfiableSchemaError('the strings are too long');
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

/** No value for a schema exists, or none could be generated within limits. */
export class UnsatisfiableSchemaError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'UnsatisfiableSchemaError';
  }
}

/** Maximum number of repetitions where a pattern has no upper bound. */
const MAX_OPEN_REPEATS = 8;

/** Longer patterns are not parsed. */
const MAX_PATTERN_CHARACTERS = 10_000;

const TOKEN =
  /\((?:\?(?:<?[=!]|<[^=!>][^>]*>|:))?|\)|\||\[(?:\\.|[^\]\\])*\]|\\.|(?:[*+?]|\{(\d+)(,?)(\d*)\})\??|[^]/gs;

/**
 * Returns the approximate maximum length of a text generated for a pattern. Nested repetitions
 * multiply: a pattern of thirty characters can need more than any memory holds.
 */
export function sizeOfPattern(source: string): number {
  return measure(source, () => 1);
}

/** A set of n characters counts as n² divided by this many steps. */
const SQUARE_PER_STEP = 8;

/** Steps of `\s` and `\S`, which stand for 25 members. */
const SPACE_STEPS = 24;

/**
 * Returns about how many steps it takes to read a pattern and to generate a text for it. For each character
 * that it generates from a set, json-schema-faker merges every member of the set with all others.
 */
function stepsOfPattern(source: string): number {
  const generated = measure(source, (token) => {
    const own = token.startsWith('[') ? Math.ceil(token.length ** 2 / SQUARE_PER_STEP) : 1;
    return own + SPACE_STEPS * (token.match(/\\s/gi)?.length ?? 0);
  });
  return source.length + generated;
}

/** Adds up `ofToken` for all characters that are generated for a pattern. */
function measure(source: string, ofToken: (token: string) => number): number {
  if (source.length > MAX_PATTERN_CHARACTERS) return Infinity;
  /** Sizes of the open groups, and of the last element in each, which may be repeated. */
  const groups = [{ size: 0, last: 0 }];
  for (const [token, low, comma, high] of source.matchAll(TOKEN)) {
    const group = groups.at(-1)!;
    if (token.startsWith('(')) {
      groups.push({ size: 0, last: 0 });
    } else if (token === ')' && groups.length > 1) {
      groups.pop();
      const outer = groups.at(-1)!;
      // Empty groups are generated too, as often as they are repeated.
      outer.last = Math.max(1, group.size);
      outer.size += outer.last;
    } else if (low !== undefined || /^[*+?]/.test(token)) {
      const open = token.startsWith('?') ? 1 : MAX_OPEN_REPEATS;
      const closed = high === '' && comma === ',' ? Number(low) + open : Number(high || low);
      group.size += group.last * ((low === undefined ? open : closed) - 1);
    } else if (token !== '|') {
      group.last = ofToken(token);
      group.size += group.last;
    }
  }
  return groups[0]!.size;
}
