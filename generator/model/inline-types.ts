import { isObject, type JsonObject, type Schema } from '../../common/json/value.ts';
import { objectAt } from '../schema/document-schemas.ts';
import { constrains, schemaList } from '../schema/subschemas.ts';
import { directReferences } from './alias-cycles.ts';
import { pascalCase } from './casing.ts';
import { stringsAt, textAt } from './member.ts';
import { componentOf } from './type-names.ts';

/** The component, content descriptor, param or result of a schema, and the steps below it. */
type Place = readonly string[];

/** Maximum number of steps in a name, unless that name is taken. */
const MAX_STEPS = 2;

/** Longer lists of values are types of their own. */
const MAX_INLINE_VALUES = 8;

/** Returns the unions of a schema that constrain its values. */
export function branchesOf(schema: JsonObject): readonly (readonly Schema[])[] {
  return ['anyOf', 'oneOf']
    .map((keyword) => schemaList(schema[keyword]))
    .filter((branches) => branches.length > 0 && branches.every(constrains));
}

/** Checks whether an object schema declares members, itself or through `allOf`. */
export function hasMembers(schema: Schema): boolean {
  if (!isObject(schema)) return false;
  const parts = schemaList(schema['allOf']).filter(constrains);
  return Object.keys(objectAt(schema, 'properties')).length > 0 || parts.length > 1;
}

/** Returns the title of a branch, or the name of its component. */
export function titleOf(schema: Schema): string {
  return isObject(schema) ? (componentOf(schema) ?? textAt(schema, 'title')) : '';
}

/** Names an alternative without a title after its members. */
export function suffixOfMembers(required: readonly string[], all: readonly string[]): string {
  const keys = required.length > 0 ? required : all;
  return keys.length === 0 ? 'Other' : `With${keys.slice(0, 3).map(pascalCase).join('')}`;
}

/**
 * Names the unnamed schemas for which a type is declared: objects with members, unions of several of
 * them, and long lists of values. The name is that of the place: the component, content descriptor, param
 * or result in which the schema is written, then the innermost two of these (all of them if that name is
 * taken): members, with `Item` for their elements and `Value` for the values of a map, and the title or
 * the members of an alternative.
 */
export class InlineNames {
  /** By schema, in the order of the document. */
  readonly types = new Map<JsonObject, string>();
  readonly #claim: (names: readonly string[]) => string;
  readonly #seen = new Set<JsonObject>();

  constructor(claim: (names: readonly string[]) => string) {
    this.#claim = claim;
  }

  /** Names the schemas below one that has a name of its own. */
  nameBelow(schema: Schema, place: Place): void {
    if (isObject(schema) && !this.#seen.has(schema)) this.#visitInside(schema, place);
  }

  /** Names a schema if a type is declared for it, and the schemas below it. */
  name(schema: Schema, place: Place): void {
    if (!isObject(schema) || this.#seen.has(schema) || componentOf(schema) !== null) return;
    if (!isDeclared(schema)) return this.#visitInside(schema, place);
    this.types.set(schema, this.#claim(namesAt(place)));
    this.#visitInside(schema, place);
  }

  #visitInside(schema: JsonObject, place: Place): void {
    this.#seen.add(schema);
    if (componentOf(schema) !== null || isValues(schema)) return;
    // The alternatives of an object with members are parts of it.
    if (hasMembers(schema)) return this.#visitParts(schema, place);
    this.#visitMembers(schema, place);
    const branches = branchesOf(schema).flat();
    const isOnly = branches.filter(isNamedBranch).length === 1;
    for (const branch of branches) {
      if (isNamedBranch(branch)) this.name(branch, isOnly ? place : [...place, suffixOf(branch)]);
      else this.nameBelow(branch, [...place, suffixOf(branch)]);
    }
    for (const part of schemaList(schema['allOf'])) this.nameBelow(part, place);
  }

  #visitParts(schema: JsonObject, place: Place): void {
    this.#visitMembers(schema, place);
    for (const part of schemaList(schema['allOf'])) this.#visitPart(part, place);
    for (const branch of branchesOf(schema).flat()) {
      this.#visitPart(branch, [...place, suffixOf(branch)]);
    }
  }

  #visitPart(part: Schema, place: Place): void {
    if (!isObject(part) || this.#seen.has(part) || componentOf(part) !== null) return;
    this.#seen.add(part);
    this.#visitParts(part, place);
  }

  #visitMembers(schema: JsonObject, place: Place): void {
    for (const [key, member] of Object.entries(objectAt(schema, 'properties'))) {
      this.name(member as Schema, [...place, pascalCase(key)]);
    }
    const { items, additionalItems, additionalProperties } = schema;
    if (Array.isArray(items)) {
      (items as readonly Schema[]).forEach((item, index) =>
        this.name(item, [...place, pascalCase(titleOf(item)) || `Place${index + 1}`]),
      );
    } else this.name((items ?? true) as Schema, within(place, 'Item'));
    this.name((additionalItems ?? true) as Schema, within(place, 'Item'));
    const patterns = Object.values(objectAt(schema, 'patternProperties'));
    for (const value of [...patterns, additionalProperties ?? true]) {
      this.name(value as Schema, within(place, 'Value'));
    }
  }
}

/** Returns the names of a place, the preferred one first. */
function namesAt([owner = '', ...steps]: Place): readonly string[] {
  return [owner + steps.slice(-MAX_STEPS).join(''), owner + steps.join('')];
}

function within(place: Place, word: string): Place {
  return place.length === 1 ? [...place, word] : [...place.slice(0, -1), place.at(-1)! + word];
}

function isValues(schema: JsonObject): boolean {
  return 'const' in schema || Array.isArray(schema['enum']);
}

function isDeclared(schema: Schema): boolean {
  if (!isObject(schema) || componentOf(schema) !== null) return false;
  if (isValues(schema)) {
    const values = schema['enum'];
    return Array.isArray(values) && values.length > MAX_INLINE_VALUES;
  }
  if (hasMembers(schema)) return true;
  return branchesOf(schema).some((branches) => branches.filter(isNamedBranch).length > 1);
}

// An alternative that refers to components is written in place, because it may refer to the component
// that contains it.
function isNamedBranch(branch: Schema): boolean {
  if (!isDeclared(branch) || directReferences(branch).length > 0) return false;
  return hasMembers(branch) || isValues(branch as JsonObject);
}

function suffixOf(branch: Schema): string {
  const title = pascalCase(titleOf(branch));
  if (title !== '' || !isObject(branch)) return title;
  const keys = Object.keys(objectAt(branch, 'properties'));
  const required = stringsAt(branch, 'required');
  return hasMembers(branch) ? suffixOfMembers(required, keys) : '';
}
