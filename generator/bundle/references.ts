import { splitPointer, walkJson } from '../../common/json/pointer.ts';
import { referenceOf } from '../../common/json/reference.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import { wordSet } from '../model/reserved.ts';

export type Mutable = Record<string | number, Json>;

/** Sets a member of any name: assignment of a new member `__proto__` would set the prototype. */
export function setMember(holder: object, key: string, value: Json): void {
  const access = { configurable: true, enumerable: true, writable: true };
  Object.defineProperty(holder, key, { value, ...access });
}

/** Keywords whose members have arbitrary names, which are not keywords themselves. */
const MAPS = wordSet(`
  properties patternProperties definitions $defs dependencies schemas contentDescriptors errors examples
  examplePairings tags links`);

const LITERAL_KEYWORDS = new Set(['default', 'const', 'enum', 'value']);

/** Extensions that are lists of rows with a schema, and the member of a row that holds it. */
const SCHEMA_ROWS = new Map([
  ['x-result-cases', 'schema'],
  ['x-service-methods', 'result'],
]);

/** Checks for an extension, in contrast to a name that begins with `x-`, such as that of a property. */
export function isExtension(tokens: readonly string[]): boolean {
  const [parent, last] = tokens.length === 1 ? ['', tokens[0]!] : tokens.slice(-2);
  return last !== undefined && last.startsWith('x-') && !MAPS.has(parent!);
}

/**
 * Checks whether a part of an OpenRPC document is data, in which `$ref` is an ordinary member: values of
 * examples, defaults and constants, and extensions other than those with schemas.
 */
export function isLiteral(tokens: readonly string[]): boolean {
  const last = tokens.at(-1);
  const parent = tokens.at(-2);
  if (last === undefined || (parent !== undefined && MAPS.has(parent))) return false;
  if (isExtension(tokens)) {
    return !(SCHEMA_ROWS.has(last) || (tokens.length === 1 && last === 'x-errors'));
  }
  const rows = tokens.at(-3) ?? '';
  if (SCHEMA_ROWS.has(rows) && /^\d+$/.test(parent!)) return last !== SCHEMA_ROWS.get(rows);
  if (LITERAL_KEYWORDS.has(last)) return true;
  if (last === 'data' && tokens.at(-3) === 'errors') return true;
  // A schema's examples are values; those of a method and of the components are objects.
  const isOfDocument = tokens.length <= 3 && (tokens[0] === 'methods' || parent === 'components');
  return last === 'examples' && !isOfDocument;
}

/** Yields the objects of a document, or of a file it is split over, except those in data. */
export function* objectsOf(file: Json): Generator<readonly [holder: JsonObject, pointer: string]> {
  for (const [value, pointer] of walkJson(file, isData)) {
    if (isObject(value)) yield [value, pointer];
  }
}

/** Checks whether `holder[key]`, at `pointer`, is data: see `isLiteral`. */
export function isData(holder: Json, key: string, pointer: string): boolean {
  return !isExamplesOfMethod(holder, key) && isLiteral(splitPointer(pointer));
}

// In a separate file, the examples of a method and of a schema look the same.
function isExamplesOfMethod(holder: Json, key: string): boolean {
  return key === 'examples' && isObject(holder) && Array.isArray(holder['params']);
}

export interface Reference {
  readonly reference: string;
  /** The pointer to the object with the `$ref`. */
  readonly pointer: string;
}

export interface HeldReference extends Reference {
  readonly holder: JsonObject;
}

/** Yields the references of a document, or of a file it is split over, except those in data. */
export function* findReferences(document: Json): Generator<HeldReference> {
  for (const [holder, pointer] of objectsOf(document)) {
    const reference = referenceOf(holder);
    if (reference !== null) yield { reference, holder, pointer };
  }
}

/**
 * Returns the names that schemas of a file declare, by `$anchor` or by an `$id` that is only a fragment
 * (draft-07, 8.2.3), and the pointers to them.
 */
export function namesIn(file: Json): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [{ $anchor, $id }, pointer] of objectsOf(file)) {
    for (const name of [$anchor, /^#(.*)$/s.exec(typeof $id === 'string' ? $id : '')?.[1]]) {
      if (typeof name === 'string' && !names.has(name)) names.set(name, pointer);
    }
  }
  return names;
}

/**
 * Removes the names that `namesIn` returns from a file that becomes part of another file, which may use
 * the same ones.
 */
export function dropAnchors(file: Json): void {
  for (const [holder] of objectsOf(file)) {
    const { $id, $anchor } = holder;
    if (typeof $anchor === 'string') delete (holder as Mutable)['$anchor'];
    if (typeof $id === 'string' && $id.startsWith('#')) delete (holder as Mutable)['$id'];
  }
}
