import type { Json } from '../../../../common/samples/sample.ts';
import type { SchemaReader } from '../schema/reader.ts';
import type { Shape } from '../schema/shape.ts';
import { makeChoice, makeSwitch } from './choice.ts';
import type { Field, Form, Place } from './field.ts';
import { makeJsonField } from './json-field.ts';
import { makeList } from './list.ts';
import { makeObject } from './object.ts';
import { makeScalar } from './scalar.ts';
import { makeUnion } from './union.ts';

/** Creates a form that makes each field according to the shape of its schema. */
export function createForm(reader: SchemaReader, changed: () => void): Form {
  const form: Form = { reader, changed, makeField };

  function makeField(place: Place, value: Json | undefined): Field {
    const schema = reader.flatten(place.schema);
    const shape = reader.shape(schema);
    const control = { form, place, schema, value };
    if (!canHold(shape, value)) return makeJsonField(control);
    switch (shape.kind) {
      case 'choice':
        return makeChoice(control, shape.choices);
      case 'switch':
        return makeSwitch(control);
      case 'scalar':
        return makeScalar(control, shape);
      case 'object':
        return makeObject(control, shape);
      case 'list':
        return makeList(control, shape);
      case 'union':
        return makeUnion(control, shape);
      case 'json':
        return makeJsonField(control);
    }
  }

  return form;
}

/** Whether a field can show a value. A value that has the wrong type, as from raw JSON, is shown as JSON. */
function canHold(shape: Shape, value: Json | undefined): boolean {
  if (value === undefined) return true;
  const isObject = typeof value === 'object' && value !== null;
  if (shape.kind === 'object') return isObject && !Array.isArray(value);
  if (shape.kind === 'list') return Array.isArray(value);
  if (shape.kind === 'switch') return typeof value === 'boolean';
  if (shape.kind !== 'scalar') return true;
  if (shape.offers.includes(value)) return true;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}
