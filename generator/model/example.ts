import { keepDigits } from '../../common/json/exact.ts';
import { joinPointer } from '../../common/json/pointer.ts';
import { extensionsOf, type JsonObject } from '../../common/json/value.ts';
import { followRef, listRefs, textAt, type Member } from './member.ts';
import type { ExampleModel, ExampleValue } from './model.ts';

/** The Model of an example pairing object. */
export function buildExample(document: JsonObject, { value, pointer }: Member): ExampleModel {
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
