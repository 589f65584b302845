import {
  isObject,
  isSchema,
  type Json,
  type JsonObject,
  type Schema,
} from '../../common/json/value.ts';
import { pointerOfFragment, splitPointer } from '../../common/json/pointer.ts';
import type { CompilerInput } from '../violations/create-ajv.ts';

const COMPONENT = 'component-';

/**
 * Returns a schema of a document or of a project, and its `definitions`, each with its own id.
 *
 * @throws Error when a reference is neither to a definition nor, if the document has some, to a component schema
 */
export function definitionParts(
  schema: Schema,
  id: string,
  { hasComponents }: { readonly hasComponents: boolean },
): readonly CompilerInput[] {
  const definitions = isObject(schema) ? schema['definitions'] : undefined;
  const named = Object.entries(isObject(definitions) ? definitions : {});
  const ids = new Map(named.map(([name]) => [name, `${id}-${name}`]));
  const idOf = (reference: string) => {
    const [first, second, third, ...rest] = splitPointer(pointerOfFragment(reference) ?? '');
    if (reference === '#') return id;
    if (first === 'definitions' && third === undefined) return ids.get(second ?? '');
    const isComponent =
      hasComponents && first === 'components' && second === 'schemas' && rest.length === 0;
    return isComponent && third !== undefined ? COMPONENT + third : undefined;
  };
  return [
    ...named.flatMap(([name, each]) =>
      isSchema(each) ? [{ id: ids.get(name)!, schema: pointTo(each, idOf) }] : [],
    ),
    { id, schema: pointTo(withoutDefinitions(schema), idOf) },
  ];
}

/** Returns the component schemas if `schema` refers to one. */
export function componentParts(schemas: JsonObject, schema: Schema): readonly CompilerInput[] {
  if (!JSON.stringify(schema).includes('"#/components/schemas/')) return [];
  const idOf = (reference: string) => {
    const name = splitPointer(pointerOfFragment(reference) ?? '')[2];
    return name !== undefined && Object.hasOwn(schemas, name) ? COMPONENT + name : undefined;
  };
  return Object.entries(schemas).flatMap(([name, each]) =>
    isSchema(each) ? [{ id: COMPONENT + name, schema: pointTo(each, idOf) }] : [],
  );
}

function withoutDefinitions(schema: Schema): Schema {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'definitions'));
}

function pointTo(schema: Schema, idOf: (reference: string) => string | undefined): Schema {
  return JSON.parse(JSON.stringify(schema), (key, value: Json) => {
    if (key !== '$ref' || typeof value !== 'string') return value;
    const id = idOf(value);
    if (id === undefined) throw new Error(`the reference "${value}" does not resolve`);
    return id;
  }) as Schema;
}
