import { jsonText } from '../../../samples/json-text.ts';
import { make } from '../elements.ts';
import { JsonFault, parseJson, valueOf } from '../json/parse.ts';
import type { Control } from './choice.ts';
import type { Field } from './field.ts';
import { frameControl } from './frame.ts';

/** Anything, as JSON: for what a schema does not describe. */
export function makeJsonField({ form, place, schema, value }: Control): Field {
  let current = value;
  const control = make('textarea', { rows: 3, spellcheck: 'false', class: 'ti-json' });
  control.value = value === undefined ? '' : jsonText(value, 2);
  const framed = frameControl(place, schema, { control });
  control.addEventListener('input', () => {
    try {
      current = control.value.trim() === '' ? undefined : valueOf(parseJson(control.value));
      framed.report([]);
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      // As text it is refused by the validator, where the schema refuses text.
      current = control.value;
      framed.report([`Taken as text, for it is not JSON: ${error.message}.`]);
    }
    form.changed();
  });
  return { ...framed, control, read: () => current, child: () => undefined };
}
