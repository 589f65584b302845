import { escapeFragment } from 'ajv/dist/compile/util.js';
import { isObject, type JsonObject, type Schema } from '../../common/json/value.ts';
import { componentOf } from '../model/type-names.ts';
import { splitPointer } from '../../common/json/pointer.ts';
import { walkSchemas } from '../schema/subschemas.ts';
import { isNounPhrase } from '../../common/validators-runtime/expected.js';

/** The document's facts about a schema, for messages about invalid values. */
export interface Fact {
  /** The expected value in words (`x-expected`). */
  readonly expected?: string;
  /** First sentence of the description, or the title. */
  readonly about?: string;
  /** The only members an object may have. */
  readonly keys?: readonly string[];
  /** Whether numbers are written as hexadecimal digits after `0x`. */
  readonly hex?: true;
}

const MAX_ABOUT = 160;

/** Returns the facts of `root` and of every schema below it, by Ajv's `schemaPath`. */
export function factsOf(root: Schema, rootPath: string): ReadonlyMap<string, Fact> {
  const facts = new Map<string, Fact>();
  const places = walkSchemas([{ schema: root, holder: [root], key: 0, pointer: '' }]);
  for (const { schema, pointer } of places) {
    if (!isObject(schema) || componentOf(schema) !== null) continue;
    const fact = factOf(schema);
    if (Object.keys(fact).length > 0) facts.set(rootPath + toSchemaPath(pointer), fact);
  }
  return facts;
}

/** Describes the expected value of `schema` in words, or returns null. Follows one reference. */
export function expectedBy(
  schema: Schema,
  component: (name: string) => Schema | undefined,
): string | null {
  const name = componentOf(schema);
  const target = name === null ? schema : component(name);
  if (!isObject(target)) return null;
  const { expected, about } = factOf(target);
  return expected ?? (about !== undefined && isNounPhrase(about) ? about : null);
}

function factOf(schema: JsonObject): Fact {
  const expected = schema['x-expected'];
  const about = aboutOf(schema);
  const properties = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  return {
    ...(typeof expected === 'string' ? { expected } : {}),
    ...(about === null || typeof expected === 'string' ? {} : { about }),
    ...(isHexNumber(schema['pattern']) ? { hex: true } : {}),
    ...(schema['additionalProperties'] === false ? { keys: properties } : {}),
  };
}

/**
 * Matches patterns that begin with `^0x(0|[1-9a-f]` or `^0x([1-9a-f]`. A document's pattern is not run.
 */
const HEX_NUMBER = /^\^0x\((?:\?:)?(?:0\||\[1-9a-f)/i;

/** Whether a pattern is one for hexadecimal numbers without leading zeros. */
function isHexNumber(pattern: unknown): boolean {
  return typeof pattern === 'string' && HEX_NUMBER.test(pattern);
}

function aboutOf({ title, description }: JsonObject): string | null {
  if (typeof description === 'string') {
    const [sentence = ''] = description.split(/(?<=[.!?])\s|\n/, 1);
    if (sentence !== '' && sentence.length <= MAX_ABOUT) return asPhrase(sentence);
  }
  return typeof title === 'string' && title !== '' ? asPhrase(title.slice(0, MAX_ABOUT)) : null;
}

/** Turns "A 32-byte hash: `0x` and 64 digits." into "a 32-byte hash: 0x and 64 digits". */
function asPhrase(sentence: string): string {
  return sentence
    .replaceAll('`', '')
    .replace(/[.!?]$/, '')
    .replace(/^\p{Lu}(?=\p{Ll}|\s)/u, (initial) => initial.toLowerCase())
    .trim();
}

function toSchemaPath(pointer: string): string {
  return splitPointer(pointer)
    .map((token) => `/${escapeFragment(token)}`)
    .join('');
}
