import {
  isObject,
  type Json,
  type JsonObject,
  type Schema,
} from '../../../../common/json/value.ts';
import { findAliasCycles } from '../../../model/alias-cycles.ts';
import { branchesOf, hasMembers, suffixOfMembers, titleOf } from '../../../model/inline-types.ts';
import type { Model } from '../../../model/model.ts';
import { createNames, nameKeys, type Taken } from '../../../model/names.ts';
import { componentOf } from '../../../model/type-names.ts';
import { objectAt } from '../../../schema/document-schemas.ts';
import { constrains, schemaList } from '../../../schema/subschemas.ts';
import { classCase, isIdentifier } from '../names.ts';
import { isLiteral, pythonLiteral } from '../literal.ts';
import { reservedTypes } from '../reserved.ts';
import { createVariants, type FindVariants, type Members, type Variant } from './members.ts';
import { ANY, NEVER, NONE, type PythonType, unionOf } from './python-type.ts';

/** A declaration of types.py. */
export interface Declaration {
  readonly name: string;
  readonly doc: string;
  readonly body: { readonly members: readonly MemberType[] } | { readonly alias: PythonType };
}

export interface MemberType {
  readonly key: string;
  readonly type: PythonType;
  readonly isRequired: boolean;
  readonly doc: string;
}

const SCALARS: ReadonlyMap<string, PythonType> = new Map([
  ['string', { text: 'str' }],
  ['integer', { text: 'int' }],
  ['number', { text: 'float' }],
  ['boolean', { text: 'bool' }],
  ['null', NONE],
]);

/**
 * Writes schemas as Python types and collects the declarations they need. Component schemas are
 * declared first, under their own names if Python allows them.
 */
export class TypeWriter {
  readonly #declarations = new Map<string, Declaration>();
  readonly #model: Model;
  readonly #variantsOf: FindVariants;
  readonly #components: ReadonlyMap<string, string>;
  readonly #names: ReturnType<typeof createNames>;
  readonly #types = new Map<JsonObject, PythonType>();
  /** Python names of inline schemas, by their TypeScript name. */
  readonly #inline: ReadonlyMap<string, string>;

  constructor(model: Model) {
    const taken: Taken = new Map();
    this.#model = model;
    this.#variantsOf = createVariants(model);
    this.#components = nameKeys(
      createNames({ kind: 'Schema', reserved: reservedTypes, casing: classCase }, taken),
      [...model.schemas.keys()],
      // Names like __all__ have a meaning in a Python module.
      (key) => isIdentifier(key) && !key.startsWith('__'),
    );
    this.#names = createNames(
      { kind: 'Object', reserved: reservedTypes, casing: classCase },
      taken,
    );
    this.#inline = nameKeys(this.#names, [...model.inlineTypes.values()], isIdentifier);
    const cycles = findAliasCycles(model);
    for (const { name, schema } of model.schemas.values()) {
      const cycle = [...(cycles.get(name) ?? [])].map((each) => this.#components.get(each)!);
      this.#declareAs(this.#components.get(name)!, schema, {
        doc: descriptionOf(schema),
        cycle: new Set(cycle),
      });
    }
  }

  get declarations(): readonly Declaration[] {
    return [...this.#declarations.values()];
  }

  /** Returns the type of a schema. Declarations it needs are named after `hint`. */
  typeOf(schema: Schema, hint: string): PythonType {
    if (typeof schema === 'boolean') return schema ? ANY : NEVER;
    const component = componentOf(schema);
    if (component !== null) return this.#referenceTo(component);
    const known = this.#types.get(schema);
    if (known !== undefined) return known;
    const inline = this.#inline.get(this.#model.inlineTypes.get(schema) ?? '');
    if (inline !== undefined) return this.#declareInline(inline, schema);
    // Ends the recursion if a schema contains itself without a reference.
    this.#types.set(schema, ANY);
    const type = constrains(schema) ? this.#write(schema, hint) : ANY;
    this.#types.set(schema, type);
    return type;
  }

  #declareInline(name: string, schema: JsonObject): PythonType {
    const reference = { ref: name };
    this.#types.set(schema, reference);
    const doc = descriptionOf(schema);
    const variants = hasMembers(schema) ? this.#variantsOf(schema) : null;
    if (variants?.length === 1) this.#declareObject(name, variants[0]!.members, doc);
    else {
      const alias = this.#write(schema, name);
      this.#declarations.set(name, { name, doc, body: { alias } });
      // `#write` may have stored the union of its variants; references use the name instead.
      this.#types.set(schema, reference);
    }
    return reference;
  }

  /** Declares a schema under a name like `hint`, and returns the name. */
  declare(schema: Schema, hint: string, doc: string): string {
    const name = this.#names.claim(hint);
    this.#declareAs(name, schema, { doc, cycle: new Set() });
    return name;
  }

  find(name: string): Declaration | undefined {
    return this.#declarations.get(name);
  }

  /** Checks whether a type has no values. */
  isNever(type: PythonType): boolean {
    // Not recursive: a chain of aliases may be longer than the stack.
    const seen = new Set<string>();
    let last = type;
    while ('ref' in last && !seen.has(last.ref)) {
      seen.add(last.ref);
      const body = this.find(last.ref)?.body;
      if (body === undefined || !('alias' in body)) return false;
      last = body.alias;
    }
    return last === NEVER;
  }

  #referenceTo(component: string): PythonType {
    const name = this.#components.get(component);
    if (name === undefined) return ANY;
    // Python cannot build a union of None and an alias of None.
    return isNull(this.#model.schemas.get(component)?.schema) ? NONE : { ref: name };
  }

  #write(schema: JsonObject, hint: string): PythonType {
    const values = 'const' in schema ? [schema['const']!] : schema['enum'];
    if (Array.isArray(values)) return unionOf((values as readonly Json[]).map(valueType));
    const { type } = schema;
    if (Array.isArray(type)) {
      const types = type as readonly Json[];
      return unionOf(types.map((each) => this.#write({ ...schema, type: each }, hint)));
    }
    const variants = hasMembers(schema) ? this.#variantsOf(schema) : null;
    if (variants !== null) return this.#writeObjects(schema, variants, hint);
    const [branches] = branchesOf(schema);
    if (branches !== undefined) {
      return unionOf(branches.map((each) => this.typeOf(each, hint + classCase(titleOf(each)))));
    }
    const part = schemaList(schema['allOf']).find(constrains);
    if (part !== undefined && (!('type' in schema) || type === 'object')) {
      return this.typeOf(part, hint);
    }
    if (type === 'array' || (type === undefined && 'items' in schema)) {
      return { list: this.#elementType(schema, hint) };
    }
    if (typeof type === 'string' && type !== 'object') return SCALARS.get(type) ?? ANY;
    return { dict: this.#valueType(schema, hint) };
  }

  /** Returns the element type of a list. Tuples become lists too, as parsed JSON arrays are in Python. */
  #elementType({ items, additionalItems }: JsonObject, hint: string): PythonType {
    if (!Array.isArray(items)) return this.typeOf((items ?? true) as Schema, `${hint}Item`);
    const types = (items as readonly Schema[]).map((each, index) =>
      this.typeOf(each, hint + (classCase(titleOf(each)) || `Place${index + 1}`)),
    );
    const rest = (additionalItems ?? true) as Schema;
    return unionOf(rest === false ? types : [...types, this.typeOf(rest, `${hint}Item`)]);
  }

  #valueType(schema: JsonObject, hint: string): PythonType {
    const patterns = Object.values(objectAt(schema, 'patternProperties')) as readonly Schema[];
    const rest = (schema['additionalProperties'] ?? true) as Schema;
    const all = rest === false ? patterns : [...patterns, rest];
    return all.length === 0 ? ANY : unionOf(all.map((each) => this.typeOf(each, `${hint}Value`)));
  }

  #writeObjects(schema: JsonObject, variants: readonly Variant[], hint: string): PythonType {
    const named = variants.map(({ members, titles }) => {
      const suffix = variants.length === 1 ? '' : classCase(titles.join(' ')) || suffixFor(members);
      return { members, name: this.#names.claim(hint + suffix) };
    });
    const type = unionOf(named.map(({ name }) => ({ ref: name })));
    this.#types.set(schema, type);
    for (const { name, members } of named) {
      this.#declareObject(name, members, descriptionOf(schema));
    }
    return type;
  }

  #declareAs(
    name: string,
    schema: Schema,
    { doc, cycle }: { readonly doc: string; readonly cycle: ReadonlySet<string> },
  ): void {
    const variants = hasMembers(schema) ? this.#variantsOf(schema) : null;
    if (variants?.length === 1) return this.#declareObject(name, variants[0]!.members, doc);
    const alias = breakCycle(this.typeOf(schema, name), { cycle, own: name });
    this.#declarations.set(name, { name, doc, body: { alias } });
  }

  #declareObject(name: string, members: Members, doc: string): void {
    // Reserves its position, so that it precedes the declarations of its members.
    this.#declarations.set(name, { name, doc, body: { members: [] } });
    const types = [...members].map(([key, { schema, isRequired }]) => ({
      key,
      type: this.typeOf(schema, name + classCase(key)),
      isRequired,
      doc: descriptionOf(schema),
    }));
    this.#declarations.set(name, { name, doc, body: { members: types } });
  }
}

function isNull(schema: Schema | undefined): boolean {
  if (!isObject(schema)) return false;
  const values = 'const' in schema ? [schema['const']] : (schema['enum'] ?? [schema['type']]);
  return Array.isArray(values) && values.every((each) => each === null || each === 'null');
}

/** Removes an alias from its own union; other cycles become Any. */
function breakCycle(
  type: PythonType,
  { cycle, own }: { readonly cycle: ReadonlySet<string>; readonly own: string },
): PythonType {
  if ('ref' in type) return cycle.has(type.ref) ? ANY : type;
  if (!('union' in type)) return type;
  const others = type.union.filter((each) => !('ref' in each && each.ref === own));
  return unionOf(others.map((each) => breakCycle(each, { cycle, own })));
}

/** Names a variant without a title after its members. */
function suffixFor(members: Members): string {
  const required = [...members].filter(([, { isRequired }]) => isRequired).map(([key]) => key);
  return suffixOfMembers(required, [...members.keys()]);
}

function valueType(value: Json): PythonType {
  if (value === null) return NONE;
  if (isLiteral(value)) return { literals: [pythonLiteral(value)] };
  if (typeof value === 'number') return SCALARS.get('number')!;
  return Array.isArray(value) ? { list: ANY } : { dict: ANY };
}

function descriptionOf(schema: Schema): string {
  if (!isObject(schema)) return '';
  const text = schema['description'] ?? schema['title'];
  const deprecated = schema['deprecated'] === true ? 'Deprecated.' : '';
  return [typeof text === 'string' ? text : '', deprecated].filter(Boolean).join('\n\n');
}
