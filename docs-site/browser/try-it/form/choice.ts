import { jsonText } from '../../../../common/samples/json-text.ts';
import type { Json } from '../../../../common/samples/sample.ts';
import { make } from '../../elements.ts';
import type { Field, FieldOptions } from './field.ts';
import { frameControl } from './frame.ts';

/** Makes a select for the values a schema lists. */
export function makeChoice(
  { form, place, schema, value }: FieldOptions,
  choices: readonly Json[],
): Field {
  const isListed = value === undefined || choices.includes(value);
  const options = isListed ? choices : [value, ...choices];
  const control = make(
    'select',
    { onchange: () => form.changed() },
    ...options.map((choice, index) => make('option', { value: index }, choiceText(choice))),
  );
  if (value !== undefined) control.selectedIndex = options.indexOf(value);
  const framed = frameControl(place, schema, { control });
  return {
    ...framed,
    control,
    read: () => options[control.selectedIndex],
    child: () => undefined,
  };
}

export function choiceText(choice: Json): string {
  return typeof choice === 'string' ? choice : jsonText(choice);
}

/** Makes a switch for a boolean. */
export function makeSwitch({ form, place, schema, value }: FieldOptions): Field {
  let isOn = value === true;
  const state = make('span', { class: 'ti-switch-state', 'aria-hidden': 'true' });
  const control = make('button', { type: 'button', role: 'switch', class: 'ti-switch' });
  const draw = (): void => {
    control.setAttribute('aria-checked', String(isOn));
    state.textContent = String(isOn);
  };
  control.addEventListener('click', () => {
    isOn = !isOn;
    draw();
    form.changed();
  });
  draw();
  const framed = frameControl(place, schema, { control, beside: [state] });
  return { ...framed, control, read: () => isOn, child: () => undefined };
}
