import {
  extensionsOf,
  freezeDeep,
  isSchema,
  type JsonObject,
  type Schema,
} from '../../common/json/value.ts';
import { joinPointer, splitPointer } from '../../common/json/pointer.ts';
import { objectAt } from '../schema/document-schemas.ts';
import { pascalCase } from './casing.ts';
import { buildErrors } from './errors.ts';
import { InlineNames } from './inline-types.ts';
import { followRef, listRefs, objectOrNull, textAt } from './member.ts';
import { buildMethod } from './method.ts';
import type { MethodModel, Model, ResultModel } from './model.ts';
import { createNames } from './names.ts';
import { reservedMembers } from './reserved.ts';
import { nameTypes } from './type-names.ts';

/**
 * Builds the Model of a bundled, valid document and freezes both. `location` is the URL that the document
 * was downloaded from, `packageName` the name of generated packages; null derives it from the title.
 */
export function buildModel(
  document: JsonObject,
  location: string | null = null,
  packageName: string | null = null,
): Model {
  const info = objectAt(document, 'info');
  const schemas = objectAt(objectAt(document, 'components'), 'schemas');
  const methods = listRefs(document, '/methods');
  const named = nameTypes(
    schemas,
    methods.map(({ value, pointer }) => ({
      name: textAt(value, 'name'),
      result: schemaAt(document, joinPointer(pointer, 'result')),
    })),
  );
  const members = createNames({ kind: 'Method', reserved: reservedMembers, casing: 'camel' });
  const methodModels = methods.map((method, index) =>
    buildMethod(document, method, {
      ...named.methods[index]!,
      identifier: members.claim(textAt(method.value, 'name')),
    }),
  );
  const inlineTypes = new InlineNames(named.nameInline);
  for (const [key, typeName] of named.schemas) {
    inlineTypes.nameBelow(schemas[key] as Schema, [pascalCase(typeName)]);
  }
  for (const method of methodModels) nameInlineTypes(method, inlineTypes);
  const model: Model = {
    openrpc: textAt(document, 'openrpc'),
    document,
    location,
    packageName,
    info: {
      title: textAt(info, 'title'),
      version: textAt(info, 'version'),
      description: textAt(info, 'description'),
      license: objectOrNull(info, 'license'),
      contact: objectOrNull(info, 'contact'),
      termsOfService: textAt(info, 'termsOfService') || null,
    },
    servers: listRefs(document, '/servers').map(({ value }) => value),
    externalDocs: objectOrNull(document, 'externalDocs'),
    methods: methodModels,
    schemas: new Map(
      Object.entries(schemas).map(([name, schema]) => [
        name,
        {
          name,
          typeName: named.schemas.get(name)!,
          pointer: joinPointer('/components/schemas', name),
          schema: schema as Schema,
        },
      ]),
    ),
    inlineTypes: inlineTypes.types,
    errors: buildErrors(document, methods),
    extensions: extensionsOf(document),
  };
  for (const schema of model.schemas.values()) freezeDeep(schema);
  return freezeDeep(model);
}

function nameInlineTypes(method: MethodModel, names: InlineNames): void {
  const { typeName, resultType, params, result } = method;
  for (const param of params) {
    names.name(param.schema, [componentPlace(param) ?? typeName + pascalCase(param.name)]);
  }
  if (result === null) return;
  const place = componentPlace(result);
  if (place === null) names.nameBelow(result.schema, [resultType]);
  else names.name(result.schema, [place]);
}

/** Returns the name of a content descriptor of the components, which several methods may share. */
function componentPlace({ pointer }: ResultModel): string | null {
  const [components, descriptors, key = ''] = splitPointer(pointer);
  const isShared = components === 'components' && descriptors === 'contentDescriptors';
  return isShared ? pascalCase(key) : null;
}

function schemaAt(document: JsonObject, contentDescriptor: string): Schema | null {
  const schema = followRef(document, contentDescriptor).value['schema'];
  return isSchema(schema) ? schema : null;
}
