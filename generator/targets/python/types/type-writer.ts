import {
  isObject,
  type Json,
  type JsonObject,
  type Schema,
} from '../../../../common/json/value.ts';
import type { Model } from '../../../model/model.ts';
import { createNames, type Taken } from '../../../model/names.ts';
import { componentOf } from '../../../model/type-names.ts';
import { constrains } from '../../types/type-schema.ts';
import { findAliasCycles } from '../../types/alias-cycles.ts';
import { classCase, isIdentifier } from '../casing.ts';
import { isLiteral, pythonLiteral } from '../literal.ts';
import { reservedTypes } from '../reserved.ts';
import {
  branchesOf,
  type Members,
  schemasAt,
  titleOf,
  type Variant,
  variantsOf,
} from './members.ts';
import { ANY, NEVER, NONE, type PythonType, unionOf } from './python-type.ts';

/** Something types.py declares. */
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

export interface TypeWriter {
  /** The type of a schema's values; what it declares on the way is called after `hint`. */
  typeOf(schema: Schema, hint: string): PythonType;
  /** Declares a type of its own for a schema and names it, as nearly `hint` as can be. */
  declare(schema: Schema, hint: string, doc: string): string;
  /** Whether no value is of a type, whatever it is called. */
  isNever(type: PythonType): boolean;
  /** Everything that was declared, in order. */
  declarations(): readonly Declaration[];
}

const SCALARS: Readonly<Record<string, PythonType>> = {
  string: { text: 'str' },
  integer: { text: 'int' },
  number: { text: 'float' },
  boolean: { text: 'bool' },
  null: NONE,
};

/**
 * Writes the schemas of a document as types of Python, its components first, each under its own
 * name where Python allows it.
 */
export function createTypeWriter(model: Model): TypeWriter {
  const taken: Taken = new Map();
  const scope = { reserved: reservedTypes, casing: classCase };
  const schemaNames = createNames({ ...scope, kind: 'Schema' }, taken);
  const objectNames = createNames({ ...scope, kind: 'Object' }, taken);
  const declared: Declaration[] = [];
  const known = new Map<JsonObject, PythonType>();

  const own = new Set(
    // Names like __all__ mean something to Python in a module.
    [...model.schemas.keys()].filter(
      (key) => isIdentifier(key) && !key.startsWith('__') && schemaNames.take(key),
    ),
  );
  const components = new Map(
    [...model.schemas.keys()].map((key) => [key, own.has(key) ? key : schemaNames.claim(key)]),
  );

  function typeOf(schema: Schema, hint: string): PythonType {
    if (typeof schema === 'boolean') return schema ? ANY : NEVER;
    const component = componentOf(schema);
    if (component !== null) {
      const target = components.get(component);
      // Python has no union of None with an alias of None.
      if (target === undefined || isNull(model.schemas.get(component)?.schema)) {
        return target === undefined ? ANY : NONE;
      }
      return { ref: target };
    }
    const before = known.get(schema);
    if (before !== undefined) return before;
    // Where a schema comes back within itself other than by a name.
    known.set(schema, ANY);
    const type = constrains(schema) ? write(schema, hint) : ANY;
    known.set(schema, type);
    return type;
  }

  function write(schema: JsonObject, hint: string): PythonType {
    const values = 'const' in schema ? [schema['const']!] : schema['enum'];
    if (Array.isArray(values)) return unionOf((values as readonly Json[]).map(valueType));
    const { type } = schema;
    if (Array.isArray(type)) {
      return unionOf(
        (type as readonly Json[]).map((each) => write({ ...schema, type: each }, hint)),
      );
    }
    if (hasMembers(schema)) {
      const variants = variantsOf(model, schema);
      if (variants !== null) return objects(schema, variants, hint);
    }
    const [branches] = branchesOf(schema);
    if (branches !== undefined) {
      return unionOf(branches.map((each) => typeOf(each, hint + classCase(titleOf(model, each)))));
    }
    const part = schemasAt(schema['allOf']).find(constrains);
    if (part !== undefined && !('type' in schema && type !== 'object')) return typeOf(part, hint);
    return byKeyword(schema, hint);
  }

  function byKeyword(schema: JsonObject, hint: string): PythonType {
    const { type } = schema;
    if (type === 'array' || (type === undefined && 'items' in schema)) {
      return { list: elementType(schema, hint) };
    }
    if (typeof type === 'string' && type !== 'object') return SCALARS[type] ?? ANY;
    return { dict: restType(schema, hint) };
  }

  /** JSON's arrays are lists in Python, those with a schema for each place too. */
  function elementType({ items, additionalItems }: JsonObject, hint: string): PythonType {
    if (!Array.isArray(items)) return typeOf((items ?? true) as Schema, `${hint}Item`);
    const places = items as readonly Schema[];
    const types = places.map((each, index) =>
      typeOf(each, hint + (classCase(titleOf(model, each)) || `Place${index + 1}`)),
    );
    const rest = (additionalItems ?? true) as Schema;
    return unionOf(rest === false ? types : [...types, typeOf(rest, `${hint}Item`)]);
  }

  function restType(schema: JsonObject, hint: string): PythonType {
    const patterns = isObject(schema['patternProperties'])
      ? (Object.values(schema['patternProperties']) as readonly Schema[])
      : [];
    const rest = (schema['additionalProperties'] ?? true) as Schema;
    const all = rest === false ? patterns : [...patterns, rest];
    return all.length === 0 ? ANY : unionOf(all.map((each) => typeOf(each, `${hint}Value`)));
  }

  function objects(schema: JsonObject, variants: readonly Variant[], hint: string): PythonType {
    const named = variants.map(({ members, title }) => {
      const name = variants.length === 1 ? hint : hint + (classCase(title) || apart(members));
      return { members, name: objectNames.claim(name) };
    });
    const type = unionOf(named.map(({ name }) => ({ ref: name })));
    known.set(schema, type);
    for (const { name, members } of named) declareObject(name, members, descriptionOf(schema));
    return type;
  }

  function declareObject(name: string, members: Members, doc: string): string {
    const place = declared.length;
    // What its members declare comes behind it.
    declared.push({ name, doc, body: { members: [] } });
    declared[place] = {
      name,
      doc,
      body: { members: [...members].map((member) => memberType(name, member)) },
    };
    return name;
  }

  function memberType(
    name: string,
    [key, { schema, isRequired }]: [string, { schema: Schema; isRequired: boolean }],
  ): MemberType {
    const type = typeOf(schema, name + classCase(key));
    return { key, type, isRequired, doc: descriptionOf(schema) };
  }

  function declareAs(name: string, schema: Schema, doc: string, circle: ReadonlySet<string>): void {
    const variants = hasMembers(schema) ? variantsOf(model, schema) : null;
    if (variants?.length === 1) declareObject(name, variants[0]!.members, doc);
    else {
      const alias = uncircled(typeOf(schema, name), { circle, own: name });
      declared.push({ name, doc, body: { alias } });
    }
  }

  const cycles = findAliasCycles(model);
  for (const { name, schema } of model.schemas.values()) {
    const circle = new Set([...(cycles.get(name) ?? [])].map((each) => components.get(each)!));
    declareAs(components.get(name)!, schema, descriptionOf(schema), circle);
  }

  function isNever(type: PythonType): boolean {
    if (!('ref' in type)) return type === NEVER;
    const body = declared.find(({ name }) => name === type.ref)?.body;
    return body !== undefined && 'alias' in body && isNever(body.alias);
  }

  return {
    typeOf,
    isNever,
    declare(schema, hint, doc) {
      const name = objectNames.claim(hint);
      declareAs(name, schema, doc, new Set());
      return name;
    },
    declarations: () => declared,
  };
}

function isNull(schema: Schema | undefined): boolean {
  if (!isObject(schema)) return false;
  const values = 'const' in schema ? [schema['const']] : (schema['enum'] ?? [schema['type']]);
  return Array.isArray(values) && values.every((each) => each === null || each === 'null');
}

/** A union with itself adds nothing to it; what else goes in a circle is left open. */
function uncircled(
  type: PythonType,
  { circle, own }: { readonly circle: ReadonlySet<string>; readonly own: string },
): PythonType {
  if ('ref' in type) return circle.has(type.ref) ? ANY : type;
  if (!('union' in type)) return type;
  const others = type.union.filter((each) => !('ref' in each && each.ref === own));
  return unionOf(others.map((each) => uncircled(each, { circle, own })));
}

/** The keys that tell a variant from others, where it has no title. */
function apart(members: Members): string {
  const required = [...members].filter(([, { isRequired }]) => isRequired).map(([key]) => key);
  const keys = required.length > 0 ? required : [...members.keys()];
  return keys.length === 0 ? 'Other' : `With${keys.slice(0, 3).map(classCase).join('')}`;
}

function hasMembers(schema: Schema): boolean {
  if (!isObject(schema)) return false;
  const list = schemasAt(schema['allOf']).filter(constrains);
  const properties = schema['properties'];
  return (isObject(properties) && Object.keys(properties).length > 0) || list.length > 1;
}

function valueType(value: Json): PythonType {
  if (value === null) return NONE;
  if (isLiteral(value)) return { literals: [pythonLiteral(value)] };
  if (typeof value === 'number') return SCALARS['number']!;
  return Array.isArray(value) ? { list: ANY } : { dict: ANY };
}

function descriptionOf(schema: Schema): string {
  if (!isObject(schema)) return '';
  const text = schema['description'] ?? schema['title'];
  const deprecated = schema['deprecated'] === true ? 'Deprecated.' : '';
  return [typeof text === 'string' ? text : '', deprecated].filter(Boolean).join('\n\n');
}
