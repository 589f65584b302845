import type { Unreachable } from '../bundle/referenced.ts';
import { joinPointer, memberOf, valueAt } from '../../common/json/pointer.ts';
import { resolvePointer } from '../../common/json/reference.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { textAt } from '../model/member.ts';
import { documentSchemas, objectAt } from '../schema/document-schemas.ts';
import { walkSchemas, type SchemaPlace } from '../schema/subschemas.ts';
import { documentMembers } from '../validation/document-members.ts';
import type { Suppression } from './suppressions.ts';
import { createValueChecker, type ValueChecker } from './value-checker.ts';

/** An object of the document, references followed. */
export interface Element {
  readonly value: JsonObject;
  /** The place of the object itself. */
  readonly pointer: string;
  /** The place where it is used: the same, or that of a reference to it. */
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

/** A description or summary of the document. */
export interface DocumentText {
  readonly text: string;
  readonly pointer: string;
}

/** A bundled document in the forms that rules need. */
export interface LintContext {
  readonly document: JsonObject;
  /** The document before it was bundled, references as they were written. */
  readonly original: Json;
  /** References without a target. */
  readonly unresolved: readonly Unreachable[];
  readonly methods: readonly LintMethod[];
  /** Every schema object, parents first. */
  readonly schemas: readonly ObjectSchemaPlace[];
  /** Every description and summary. */
  readonly texts: readonly DocumentText[];
  readonly suppressions: SuppressionState;
  /** Checks a value against a schema of the document. */
  readonly checkValue: ValueChecker;
}

/** The entries of `x-lint-ignore`, and which of them were used so far. */
interface SuppressionState {
  readonly entries: readonly Suppression[];
  /** The entries that suppressed a finding. */
  readonly used: ReadonlySet<Suppression>;
  /** Ids of the enabled rules, and of all rules. */
  readonly active: ReadonlySet<string>;
  readonly known: readonly string[];
}

export interface ObjectSchemaPlace extends SchemaPlace {
  readonly schema: JsonObject;
}

export type LintInput = Pick<LintContext, 'document' | 'original' | 'unresolved'>;

/** Creates the context of a bundled document, whose references may be unresolved. */
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
    texts: textsOf(document),
    suppressions,
    checkValue: createValueChecker(document),
  };
}

function textsOf(document: JsonObject): readonly DocumentText[] {
  return [...documentMembers(document)].flatMap(({ key, value, pointer }) =>
    typeof value === 'string' && (key === 'description' || key === 'summary')
      ? [{ text: value, pointer }]
      : [],
  );
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

/** Returns the objects of the list at `pointer`, without unresolved references. */
export function elementsAt(document: JsonObject, pointer: string): readonly Element[] {
  const list = valueAt(document, pointer);
  if (!Array.isArray(list)) return [];
  return list.flatMap((_, index) => elementAt(document, joinPointer(pointer, index)) ?? []);
}

/** Returns the components of a kind, such as "errors". */
export function componentElements(document: JsonObject, kind: string): readonly Element[] {
  const components = objectAt(objectAt(document, 'components'), kind);
  return Object.keys(components).flatMap(
    (key) => elementAt(document, joinPointer(`/components/${kind}`, key)) ?? [],
  );
}

/** Returns the object at `place`, or null. */
export function elementAt(document: JsonObject, place: string): Element | null {
  const found = resolvePointer(document, place);
  return isObject(found?.value) ? { value: found.value, pointer: found.pointer, place } : null;
}

/** Returns the component schemas of the document itself, without those that bundling added. */
export function ownSchemas({ document, original }: LintContext) {
  const schemas = objectAt(objectAt(document, 'components'), 'schemas');
  const named = valueAt(original, '/components/schemas');
  return Object.keys(isObject(named) ? named : {}).map((name) => ({
    name,
    schema: (memberOf(schemas, name) as Schema | undefined) ?? true,
    pointer: joinPointer('/components/schemas', name),
  }));
}

/** Returns the schema of a content descriptor, by default one that allows anything. */
export function schemaOf({ value }: Element): Schema {
  return (value['schema'] as Schema | undefined) ?? true;
}

/** Shows a name or value in a message: quoted, on one line, shortened if it is long. */
export function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
