import { joinPointer, referenceTo, splitPointer } from '../../common/json/pointer.ts';
import { localTarget, referenceOf, resolvePointer } from '../../common/json/reference.ts';
import { isObject, isSchema, type Json, type JsonObject } from '../../common/json/value.ts';
import { componentOf } from '../model/type-names.ts';
import { documentSchemas, objectAt, SCHEMA_ROOT } from '../schema/document-schemas.ts';
import { maySchemaStandAt } from '../schema/schema-position.ts';
import { walkSchemas, type SchemaPlace } from '../schema/subschemas.ts';
import type { Source } from '../source/source.ts';
import { createComponentNames } from './component-name.ts';
import { FILES } from './external.ts';
import { diagnosticAt, type Places } from './places.ts';
import type { Unreachable } from './referenced.ts';
import { setMember, type Mutable } from './references.ts';

const FIX = 'correct the $ref, or add the schema it names';

/**
 * Makes every referenced schema a component: references in schemas then always read
 * `#/components/schemas/<key>`. A referenced inline schema becomes a reference itself. Changes
 * `document`.
 *
 * @returns `dead`, a diagnostic for every reference that does not resolve to a schema (it becomes a schema
 *   that allows any value), and `hasHidden`, whether schemas from below unknown
 *   keywords became components
 */
export function hoistSchemas(
  document: JsonObject,
  options: {
    readonly places: Places;
    /** The original text of each changed `$ref`, by its object. */
    readonly written: WeakMap<object, string>;
    readonly source: Source;
  },
): { readonly dead: readonly Unreachable[]; readonly hasHidden: boolean } {
  const { places, written, source } = options;
  const finder = new SchemaFinder(document);
  const known = new Map<object, SchemaPlace>();
  const queue = collect(documentSchemas(document), known);
  const components = Object.entries(objectAt(objectAt(document, 'components'), 'schemas'));
  const nameOf = createComponentNames(components.map(([key]) => key));
  const keys = new Map(components.map(([key, schema]) => [schema, key]));
  const hoisted = new Map<JsonObject, string>();
  const diagnostics: Unreachable[] = [];
  let hasHidden = false;
  const placeOf = (pointer: string) => places.find(document, pointer) ?? { source, pointer };

  // The loop also visits the places that it adds.
  for (const next of queue) {
    const holder = next.schema as JsonObject;
    const reference = holder['$ref'] as string;
    const target = finder.find(reference, next);
    if (target === null) {
      const message = `the reference "${written.get(holder) ?? reference}" does not resolve to a JSON Schema`;
      const diagnostic = diagnosticAt(placeOf(next.pointer), { message, fix: FIX });
      diagnostics.push({ ...diagnostic, holder, isOpened: true });
      delete (holder as Mutable)['$ref'];
    } else if (!isObject(target.schema)) {
      (next.holder as Mutable)[next.key] = target.schema;
    } else {
      let key = componentKey(target.pointer) ?? keys.get(target.schema);
      if (key === undefined) {
        key = nameOf(placeOf(target.pointer));
        // Also stays in its old place until all schemas are hoisted, because references point to both
        // places.
        hoisted.set(target.schema, key);
        keys.set(target.schema, key);
        setMember(componentSchemas(document), key, target.schema);
        if (!known.has(target.schema)) {
          hasHidden = true;
          for (const place of collect([target], known)) queue.push(place);
        }
      }
      (holder as Mutable)['$ref'] = referenceToComponent(key);
    }
  }
  for (const [schema, key] of hoisted) {
    const { holder, key: at } = known.get(schema)!;
    (holder as Mutable)[at] = { $ref: referenceToComponent(key) };
  }
  return { dead: diagnostics, hasHidden };
}

/** Returns the references among the schemas at and below `roots`; adds all schemas to `known`. */
function collect(roots: Iterable<SchemaPlace>, known: Map<object, SchemaPlace>): SchemaPlace[] {
  const references: SchemaPlace[] = [];
  for (const place of walkSchemas(roots)) {
    if (!isObject(place.schema) || known.has(place.schema)) continue;
    known.set(place.schema, place);
    if (referenceOf(place.schema) !== null) references.push(place);
  }
  return references;
}

/**
 * Finds the schemas that references lead to. Results are cached, so that a long chain of references is
 * followed once and not for each of its links. Failures are not cached: a reference that does not resolve
 * may be removed later.
 */
class SchemaFinder {
  readonly #document: JsonObject;
  /** The end of the chain that begins with a schema. */
  readonly #ends = new Map<Json, SchemaPlace>();
  /** Pointers from which the references lead to a value. */
  readonly #resolved = new Set<string>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** Returns the schema that `reference` means at `from`, or null. */
  find(reference: string, from: SchemaPlace): SchemaPlace | null {
    const passed = new Set<Json>();
    let target = this.#findTarget(reference, from);
    for (;;) {
      // A schema that is only a reference is followed, unless it is a component.
      const next = referenceOf(target?.schema);
      const isEnd = target === null || next === null || componentKey(target.pointer) !== null;
      if (isEnd) break;
      // Circular references do not resolve to a schema.
      if (passed.has(target!.schema)) return null;
      passed.add(target!.schema);
      target = this.#ends.get(target!.schema) ?? this.#findTarget(next!, target!);
    }
    if (target !== null) for (const schema of passed) this.#ends.set(schema, target);
    return target;
  }

  // Some documents refer to parts of the current schema ("#/definitions/X") as if it were a file.
  #findTarget(reference: string, from: SchemaPlace): SchemaPlace | null {
    const document = this.#document;
    const pointer = localTarget(reference);
    if (pointer === null) return null;
    const [own = ''] = SCHEMA_ROOT.exec(from.pointer) ?? [];
    for (const candidate of [pointer, own + pointer]) {
      const found = resolvePointer(document, candidate, { stopAtReference: true });
      if (found === null || !isSchema(found.value) || isDescriptor(found.value)) continue;
      if (!isSchemaPlace(document, found.pointer) || !this.#resolves(found.pointer)) continue;
      const cut = found.pointer.lastIndexOf('/');
      const holder = resolvePointer(document, found.pointer.slice(0, cut))!.value as JsonObject;
      const [key = ''] = splitPointer(found.pointer.slice(cut));
      return { schema: found.value, pointer: found.pointer, holder, key };
    }
    return null;
  }

  /** Checks whether the references from a place lead to a value. */
  #resolves(pointer: string): boolean {
    const passed = new Set<string>();
    for (let at = pointer; !this.#resolved.has(at);) {
      if (passed.has(at)) return false;
      passed.add(at);
      const found = resolvePointer(this.#document, at, { stopAtReference: true });
      const reference = referenceOf(found?.value);
      if (found === null) return false;
      if (reference === null) break;
      const target = localTarget(reference);
      if (target === null) return false;
      at = target;
    }
    for (const each of passed) this.#resolved.add(each);
    return true;
  }
}

// A referenced schema moves to the components; a method or the value of an example must not move.
function isSchemaPlace(document: JsonObject, pointer: string): boolean {
  const tokens = splitPointer(pointer);
  const [first, file = ''] = tokens;
  if (first !== FILES) return pointer !== '' && maySchemaStandAt(document, tokens);
  return maySchemaStandAt(objectAt(document, FILES)[file] ?? null, tokens.slice(2));
}

function isDescriptor(value: Json): boolean {
  return isObject(value) && isSchema(value['schema']) && typeof value['name'] === 'string';
}

function componentSchemas(document: JsonObject): Mutable {
  const components = ((document as Mutable)['components'] ??= {}) as Mutable;
  return (components['schemas'] ??= {}) as Mutable;
}

function componentKey(pointer: string): string | null {
  return componentOf({ $ref: referenceTo(pointer) });
}

function referenceToComponent(key: string): string {
  return referenceTo(joinPointer('/components/schemas', key));
}
