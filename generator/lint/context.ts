import type { Unreachable } from '../bundle/referenced.ts';
import { joinPointer, valueAt } from '../../common/json/pointer.ts';
import { resolvePointer } from '../../common/json/reference.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { textAt } from '../model/member.ts';
import { documentSchemas, objectAt } from '../schema/document-schemas.ts';
import { walkSchemas, type SchemaPlace } from '../schema/subschemas.ts';
import type { Suppression } from './suppressions.ts';
import { textsOf, type DocumentText } from './texts.ts';
import { createValueChecker, type ValueChecker } from './value-checker.ts';

/** An object of the document, what it refers to followed. */
export interface Element {
  readonly value: JsonObject;
  /** Where it really stands. */
  readonly pointer: string;
  /** Where it is used: the same, or the reference to it. */
  readonly place: string;
}

export interface LintMethod extends Element {
  readonly name: string;
  readonly params: readonly Element[];
  /** Null for a notification. */
  readonly result: Element | null;
  readonly errors: readonly Element[];
  readonly examples: readonly Element[];
  readonly links: readonly Element[];
  readonly tags: readonly Element[];
}

/** A bundled document, and what the rules ask of it. */
export interface LintContext {
  readonly document: JsonObject;
  /** The document before it was bundled, references as they were written. */
  readonly original: Json;
  /** References that cannot be followed for want of what they lead to. */
  readonly unresolved: readonly Unreachable[];
  readonly methods: readonly LintMethod[];
  /** Every schema object, parents first. */
  readonly schemas: readonly ObjectSchemaPlace[];
  /** Every description and summary. */
  readonly texts: readonly DocumentText[];
  readonly suppressions: SuppressionState;
  /** In what a value breaks a schema of the document. */
  readonly checkValue: ValueChecker;
}

/** The entries of `x-lint-ignore`, and what became of them so far. */
export interface SuppressionState {
  readonly entries: readonly Suppression[];
  /** The entries that suppressed a finding. */
  readonly used: ReadonlySet<Suppression>;
  /** Ids of the rules that are on, and of all rules. */
  readonly active: ReadonlySet<string>;
  readonly known: readonly string[];
}

export interface ObjectSchemaPlace extends SchemaPlace {
  readonly schema: JsonObject;
}

export type LintInput = Pick<LintContext, 'document' | 'original' | 'unresolved'>;

/** The context of a document (bundled, its references possibly dead); it is not changed. */
export function createContext(input: LintInput, suppressions: SuppressionState): LintContext {
  const { document } = input;
  const schemas = [...walkSchemas(documentSchemas(document))].filter(
    (place): place is ObjectSchemaPlace => isObject(place.schema),
  );
  const methods = elementsAt(document, '/methods').map((method) => toMethod(document, method));
  return {
    ...input,
    methods,
    schemas,
    texts: [...textsOf(document)],
    suppressions,
    checkValue: createValueChecker(document),
  };
}

function toMethod(document: JsonObject, method: Element): LintMethod {
  const at = (member: string) => elementsAt(document, joinPointer(method.pointer, member));
  return {
    ...method,
    name: textAt(method.value, 'name'),
    params: at('params'),
    result: elementAt(document, joinPointer(method.pointer, 'result')),
    errors: at('errors'),
    examples: at('examples'),
    links: at('links'),
    tags: at('tags'),
  };
}

/** The objects of the list at `pointer`, those left out whose reference leads nowhere. */
export function elementsAt(document: JsonObject, pointer: string): readonly Element[] {
  const list = valueAt(document, pointer);
  if (!Array.isArray(list)) return [];
  return list.flatMap((_, index) => elementAt(document, joinPointer(pointer, index)) ?? []);
}

/** The object at `pointer`, or null. */
export function elementAt(document: JsonObject, place: string): Element | null {
  const found = resolvePointer(document, place);
  return isObject(found?.value) ? { value: found.value, pointer: found.pointer, place } : null;
}

/** The component schemas that the document itself names, without those that bundling made. */
export function ownSchemas({ document, original }: LintContext): readonly OwnSchema[] {
  const schemas = objectAt(objectAt(document, 'components'), 'schemas');
  const named = valueAt(original, '/components/schemas');
  return Object.keys(isObject(named) ? named : {}).map((name) => ({
    name,
    schema: schemas[name] ?? true,
    pointer: joinPointer('/components/schemas', name),
  }));
}

export interface OwnSchema {
  readonly name: string;
  readonly schema: Json;
  readonly pointer: string;
}

/** The schema of a content descriptor: anything where it says nothing. */
export function schemaOf({ value }: Element): Schema {
  return (value['schema'] as Schema | undefined) ?? true;
}

/** A name or value as messages show it: quoted, and not longer than a line. */
export function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
