import { jsonText } from '../../../../common/samples/json-text.ts';
import { make } from '../../elements.ts';
import { JsonSyntaxError, parseJson, valueOf } from '../json.ts';
import type { Field, FieldOptions } from './field.ts';
import { frameControl } from './frame.ts';

/** Makes a JSON editor for a value that the schema does not describe. */
export function makeJsonField({ form, place, schema, value }: FieldOptions): Field {
  let current = value;
  const control = make('textarea', { rows: 3, spellcheck: 'false', class: 'ti-json' });
  control.value = value === undefined ? '' : jsonText(value, 2);
  const framed = frameControl(place, schema, { control });
  control.addEventListener('input', () => {
    try {
      current = control.value.trim() === '' ? undefined : valueOf(parseJson(control.value));
      framed.report([]);
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      // The validator rejects the text unless the schema allows text.
      current = control.value;
      framed.report([`Used as text because it is not valid JSON: ${error.message}.`]);
    }
    form.changed();
  });
  return { ...framed, control, read: () => current, child: () => undefined };
}
