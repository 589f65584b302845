import { splitPointer } from '../../common/json/pointer.ts';
import { localTarget, referenceOf } from '../../common/json/reference.ts';
import type { Json, Schema } from '../../common/json/value.ts';
import type { MethodModel } from './model.ts';
import { createNames, nameKeys, type Taken } from './names.ts';
import { RECENT_LETTERS } from './recent-letters.ts';
import { reservedTypes } from './reserved.ts';

export type MethodTypeNames = Pick<MethodModel, 'typeName' | 'paramsType' | 'resultType'>;

const TYPE_NAME = new RegExp(
  String.raw`^(?!.*[${RECENT_LETTERS}])[\p{ID_Start}_$][\p{ID_Continue}$]*$`,
  'u',
);

/**
 * Names the types of a document. Schemas keep their key if it is a valid name. A method's types are
 * named after the method; a component schema with the name of the method's result type serves as
 * that type if it is the result.
 */
export function nameTypes(
  schemas: Readonly<Record<string, Json>>,
  methods: readonly { readonly name: string; readonly result: Schema | null }[],
): {
  schemas: ReadonlyMap<string, string>;
  methods: readonly MethodTypeNames[];
  /** Names a type of a schema that has no name of its own: the first of the names that is free. */
  nameInline: (names: readonly string[]) => string;
} {
  const taken: Taken = new Map();
  const schemaNames = nameKeys(
    createNames({ kind: 'Schema', reserved: reservedTypes, casing: 'pascal' }, taken),
    Object.keys(schemas),
    (key) => TYPE_NAME.test(key),
  );
  const names = createNames({ kind: 'Method', reserved: reservedTypes, casing: 'pascal' }, taken);
  const methodNames = methods.map((method) => {
    const resultSchema = schemaNames.get(componentOf(method.result) ?? '');
    const typeName = names.claim(method.name, (identifier) => [
      identifier,
      `${identifier}Params`,
      ...(resultSchema === `${identifier}Result` ? [] : [`${identifier}Result`]),
    ]);
    return {
      typeName,
      paramsType: `${typeName}Params`,
      resultType: `${typeName}Result`,
    };
  });
  const inline = createNames({ kind: 'Object', reserved: reservedTypes, casing: 'pascal' }, taken);
  return {
    schemas: schemaNames,
    methods: methodNames,
    nameInline: (wanted) =>
      wanted.find((each) => inline.take(each)) ?? inline.claim(wanted.at(-1)!),
  };
}

/** Returns the key of the component schema that `schema` refers to, or null. */
export function componentOf(schema: Schema | null): string | null {
  const target = localTarget(referenceOf(schema ?? undefined));
  if (target === null) return null;
  const [components, schemas, key, ...rest] = splitPointer(target);
  const isComponent = components === 'components' && schemas === 'schemas' && rest.length === 0;
  return isComponent ? (key ?? null) : null;
}
