import {
  joinPointer,
  pointerOfFragment,
  referenceTo,
  unescapeToken,
} from '../../common/json/pointer.ts';
import { resolvePointer } from '../../common/json/reference.ts';
import { isObject, isSchema, type Json, type JsonObject } from '../../common/json/value.ts';
import { documentSchemas } from '../schema/document-schemas.ts';
import { walkSchemas, type SchemaPlace } from '../schema/subschemas.ts';
import { createComponentNames } from './component-name.ts';
import { openUp } from './open-up.ts';
import { diagnosticAt, type Place, type Places } from './places.ts';
import type { Unreachable } from './referenced.ts';

type Mutable = Record<string | number, Json>;

export interface HoistOptions {
  readonly places: Places;
  /** References as they were written, of objects whose `$ref` was changed. */
  readonly written: WeakMap<object, string>;
  readonly root: Place;
  /** Make what refers to no schema a schema that allows anything. */
  readonly allowUnresolved: boolean;
}

/**
 * Makes every schema that another refers to a component: a reference in a schema then always reads
 * `#/components/schemas/<key>`. What was referred to where it stood becomes a reference itself, so
 * that nothing is said twice. Changes `document`.
 *
 * @returns a problem for every reference that does not lead to a schema; such a one is left as it is,
 *   or opened up where that is allowed
 */
export function hoistSchemas(
  document: JsonObject,
  { places, written, root, allowUnresolved }: HoistOptions,
): readonly Unreachable[] {
  const known = new Map<object, SchemaPlace>();
  const queue = collect(documentSchemas(document), known);
  const names = createComponentNames(Object.keys(componentsOf(document)));
  const keys = new Map(
    Object.entries(componentsOf(document)).map(([key, schema]) => [schema, key]),
  );
  const hoisted = new Map<JsonObject, string>();
  // What is hoisted stands in both places until all is: references lead to either meanwhile.
  const hoist = (schema: JsonObject, key: string) => {
    hoisted.set(schema, key);
    keys.set(schema, key);
    componentSchemas(document)[key] = schema;
  };
  const diagnostics: Unreachable[] = [];
  const placeOf = (pointer: string) => places.find(document, pointer) ?? { ...root, pointer };

  // A list hands out what is added while it is walked.
  for (const next of queue) {
    const holder = next.schema as JsonObject;
    const reference = holder['$ref'] as string;
    const target = findSchema(document, reference, next);
    if (target === null) {
      const message = describeUnresolved(written.get(holder) ?? reference);
      diagnostics.push({ ...diagnosticAt(placeOf(next.pointer), { ...NOWHERE, message }), holder });
      if (allowUnresolved) openUp(holder);
    } else if (!isObject(target.schema)) {
      (next.holder as Mutable)[next.key] = target.schema;
    } else {
      const name = componentKey(target.pointer) ?? keys.get(target.schema);
      const key = name ?? names.claim(placeOf(target.pointer));
      if (name === undefined) {
        hoist(target.schema, key);
        if (!known.has(target.schema)) {
          for (const place of collect([target], known)) queue.push(place);
        }
      }
      (next.schema as Mutable)['$ref'] = toComponent(key);
    }
  }
  for (const [schema, key] of hoisted) {
    const { holder, key: at } = known.get(schema)!;
    (holder as Mutable)[at] = { $ref: toComponent(key) };
  }
  return diagnostics;
}

const NOWHERE = {
  fix: 'correct the $ref, add the schema it names, or go on without it (--allow-unresolved)',
};

function describeUnresolved(reference: string): string {
  return `the reference "${reference}" does not lead to a JSON schema`;
}

/** The references among the schemas at and below `roots`; notes all of them in `known`. */
function collect(roots: Iterable<SchemaPlace>, known: Map<object, SchemaPlace>): SchemaPlace[] {
  const references: SchemaPlace[] = [];
  for (const place of walkSchemas(roots)) {
    if (!isObject(place.schema) || known.has(place.schema)) continue;
    known.set(place.schema, place);
    if (typeof place.schema['$ref'] === 'string') references.push(place);
  }
  return references;
}

function findSchema(
  document: JsonObject,
  reference: string,
  from: SchemaPlace,
  passed: ReadonlySet<object> = new Set(),
): SchemaPlace | null {
  const target = findTarget(document, reference, from);
  // A schema that only refers to another one is not named, unless the document names it.
  const next = isObject(target?.schema) ? target.schema['$ref'] : undefined;
  if (target === null || typeof next !== 'string') return target;
  if (componentKey(target.pointer) !== undefined) return target;
  // References of "#" that lead to themselves, or round in a circle, lead to no schema.
  if (passed.has(target.schema as object)) return null;
  return findSchema(document, next, target, new Set([...passed, target.schema as object]));
}

// Some documents point into the schema at hand ("#/definitions/X") as if it were a file of its own.
function findTarget(
  document: JsonObject,
  reference: string,
  from: SchemaPlace,
): SchemaPlace | null {
  const pointer = reference.startsWith('#') ? pointerOfFragment(reference) : null;
  if (pointer === null) return null;
  const own = `/${from.pointer.split('/').slice(1, rootLength(from.pointer)).join('/')}`;
  for (const candidate of [pointer, own + pointer]) {
    const found = resolvePointer(document, candidate, { stopAtReference: true });
    if (found === null || !isSchema(found.value) || isDescriptor(found.value)) continue;
    if (found.pointer === '' || resolvePointer(document, found.pointer) === null) continue;
    const { holder, key } = holderOf(document, found.pointer);
    return { schema: found.value, pointer: found.pointer, holder, key };
  }
  return null;
}

/** Where the tokens end that lead to the outermost schema a place is in, or is. */
function rootLength(pointer: string): number {
  if (/^\/(?:components\/schemas|x-errors)\//.test(pointer)) return 4;
  if (pointer.startsWith('/components/contentDescriptors/')) return 5;
  return /^\/methods\/\d+\/params\//.test(pointer) ? 6 : 5;
}

function isDescriptor(value: Json): boolean {
  return isObject(value) && isSchema(value['schema']) && typeof value['name'] === 'string';
}

function holderOf(document: JsonObject, pointer: string) {
  const cut = pointer.lastIndexOf('/');
  const holder = resolvePointer(document, pointer.slice(0, cut))!.value as JsonObject;
  return {
    holder,
    key: unescapeToken(pointer.slice(cut + 1)),
  };
}

function componentSchemas(document: JsonObject): Mutable {
  const components = ((document as Mutable)['components'] ??= {}) as Mutable;
  return (components['schemas'] ??= {}) as Mutable;
}

function componentsOf(document: JsonObject): JsonObject {
  const components = isObject(document['components']) ? document['components'] : {};
  return isObject(components['schemas']) ? components['schemas'] : {};
}

function componentKey(pointer: string): string | undefined {
  const match = /^\/components\/schemas\/([^/]+)$/.exec(pointer);
  return match === null ? undefined : unescapeToken(match[1]!);
}

function toComponent(key: string): string {
  return referenceTo(joinPointer('/components/schemas', key));
}
