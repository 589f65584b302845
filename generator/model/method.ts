import { keepDigits } from '../../common/json/exact.ts';
import { joinPointer, splitPointer } from '../../common/json/pointer.ts';
import { extensionsOf, type JsonObject, type Schema } from '../../common/json/value.ts';
import {
  describedAt,
  followRef,
  listRefs,
  numberAt,
  objectOrNull,
  textAt,
  type Member,
} from './member.ts';
import type {
  ExampleModel,
  ExampleValue,
  MethodErrorModel,
  MethodModel,
  ParamModel,
} from './model.ts';
import { createNames } from './names.ts';
import { reservedVariables } from './reserved.ts';
import type { MethodTypeNames } from './type-names.ts';

/** Builds the Model of one method; references are resolved in `document`. */
export function buildMethod(
  document: JsonObject,
  { value: method, pointer }: Member,
  names: MethodTypeNames & Pick<MethodModel, 'identifier'>,
): MethodModel {
  const identifiers = createNames({ kind: 'Param', reserved: reservedVariables, casing: 'camel' });
  const at = (member: string) => listRefs(document, joinPointer(pointer, member));
  const result = followRef(document, joinPointer(pointer, 'result'));
  return {
    ...describedAt(method),
    ...names,
    pointer,
    params: at('params').map((param) =>
      buildParam(param, identifiers.claim(textAt(param.value, 'name'))),
    ),
    // OpenRPC 1.3.2, method object: the default is "either".
    paramStructure: (textAt(method, 'paramStructure') || 'either') as MethodModel['paramStructure'],
    result: 'result' in method ? buildDescriptor(result) : null,
    errors: at('errors').map(buildMethodError),
    tags: at('tags').map(({ value }) => describedAt(value)),
    externalDocs: objectOrNull(method, 'externalDocs'),
    deprecated: method['deprecated'] === true,
    servers: at('servers').map(({ value }) => value),
    examples: at('examples').map((example) => buildExample(document, example)),
    extensions: extensionsOf(method),
  };
}

function buildDescriptor({ value, pointer }: Member) {
  const schema = (value['schema'] as Schema | undefined) ?? true;
  return { ...describedAt(value), schema, pointer };
}

function buildParam(member: Member, identifier: string): ParamModel {
  const { value } = member;
  return {
    ...buildDescriptor(member),
    identifier,
    required: value['required'] === true,
    deprecated: value['deprecated'] === true,
    extensions: extensionsOf(value),
  };
}

function buildMethodError({ value, pointer }: Member): MethodErrorModel {
  const [components, errors, name = null] = splitPointer(pointer);
  return {
    name: components === 'components' && errors === 'errors' ? name : null,
    code: numberAt(value, 'code') ?? 0,
    message: textAt(value, 'message'),
    data: value['data'],
    pointer,
  };
}

function buildExample(document: JsonObject, { value, pointer }: Member): ExampleModel {
  const result = followRef(document, joinPointer(pointer, 'result'));
  return {
    ...describedAt(value),
    params: listRefs(document, joinPointer(pointer, 'params')).map(buildValue),
    result: 'result' in value ? buildValue(result) : null,
    pointer,
    extensions: extensionsOf(value),
  };
}

function buildValue({ value }: Member): ExampleValue {
  const example = { name: textAt(value, 'name'), value: value['value'] };
  keepDigits([value, 'value'], [example, 'value']);
  return example;
}
