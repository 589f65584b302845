import { keepDigits } from '../../common/json/exact.ts';
import { extensionsOf, type JsonObject, type Schema } from '../../common/json/value.ts';
import { joinPointer, splitPointer } from '../../common/json/pointer.ts';
import { followRef, listRefs, objectOrNull, textAt, type Member } from './member.ts';
import type {
  ExampleModel,
  ExampleValue,
  MethodErrorModel,
  MethodModel,
  ParamModel,
  ParamStructure,
  ResultModel,
  TagModel,
} from './model.ts';
import { createNames } from './names.ts';
import { reservedVariables } from './reserved.ts';
import type { MethodTypeNames } from './type-names.ts';

interface MethodNames extends MethodTypeNames {
  readonly identifier: string;
}

/** Builds the Model of one method; references are resolved in `document`. */
export function buildMethod(
  document: JsonObject,
  { value: method, pointer }: Member,
  names: MethodNames,
): MethodModel {
  const identifiers = createNames({ kind: 'Param', reserved: reservedVariables, casing: 'camel' });
  const at = (member: string) => listRefs(document, joinPointer(pointer, member));
  return {
    name: textAt(method, 'name'),
    ...names,
    pointer,
    params: at('params').map((param) =>
      buildParam(param, identifiers.claim(textAt(param.value, 'name'))),
    ),
    // OpenRPC 1.3.2, method object: the default is "either".
    paramStructure: (textAt(method, 'paramStructure') || 'either') as ParamStructure,
    result: 'result' in method ? buildResult(document, joinPointer(pointer, 'result')) : null,
    errors: errorPlaces(document, joinPointer(pointer, 'errors')).map(buildMethodError),
    summary: textAt(method, 'summary'),
    description: textAt(method, 'description'),
    tags: at('tags').map(buildTag),
    externalDocs: objectOrNull(method, 'externalDocs'),
    deprecated: method['deprecated'] === true,
    servers: at('servers').map(({ value }) => value),
    examples: at('examples').map((example) => buildExample(document, example)),
    extensions: extensionsOf(method),
  };
}

function buildParam({ value, pointer }: Member, identifier: string): ParamModel {
  return {
    name: textAt(value, 'name'),
    identifier,
    required: value['required'] === true,
    schema: (value['schema'] as Schema | undefined) ?? true,
    summary: textAt(value, 'summary'),
    description: textAt(value, 'description'),
    deprecated: value['deprecated'] === true,
    pointer,
    extensions: extensionsOf(value),
  };
}

function buildResult(document: JsonObject, place: string): ResultModel {
  const { value, pointer } = followRef(document, place);
  return {
    name: textAt(value, 'name'),
    schema: (value['schema'] as Schema | undefined) ?? true,
    summary: textAt(value, 'summary'),
    description: textAt(value, 'description'),
    pointer,
  };
}

function buildTag({ value }: Member): TagModel {
  return {
    name: textAt(value, 'name'),
    summary: textAt(value, 'summary'),
    description: textAt(value, 'description'),
  };
}

interface ErrorPlace extends Member {
  readonly name: string | null;
}

function errorPlaces(document: JsonObject, pointer: string): readonly ErrorPlace[] {
  return listRefs(document, pointer).map((member) => {
    const [components, errors, name] = splitPointer(member.pointer);
    const isShared = components === 'components' && errors === 'errors';
    return { ...member, name: isShared ? (name ?? null) : null };
  });
}

function buildMethodError({ value, pointer, name }: ErrorPlace): MethodErrorModel {
  const code = value['code'];
  return {
    name,
    code: typeof code === 'number' ? code : 0,
    message: textAt(value, 'message'),
    data: value['data'],
    pointer,
  };
}

function buildExample(document: JsonObject, { value, pointer }: Member): ExampleModel {
  return {
    name: textAt(value, 'name'),
    summary: textAt(value, 'summary'),
    description: textAt(value, 'description'),
    params: listRefs(document, joinPointer(pointer, 'params')).map(buildValue),
    result:
      'result' in value ? buildValue(followRef(document, joinPointer(pointer, 'result'))) : null,
    pointer,
    extensions: extensionsOf(value),
  };
}

function buildValue({ value }: Member): ExampleValue {
  const example = { name: textAt(value, 'name'), value: value['value'] };
  keepDigits([value, 'value'], [example, 'value']);
  return example;
}
