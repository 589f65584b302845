import { make, makeButton, newId } from '../../elements.ts';
import type { SchemaObject } from '../schema/schema.ts';
import { jsonText } from '../../../../common/samples/json-text.ts';
import type { Place } from './field.ts';

interface Framed {
  readonly element: HTMLElement;
  report(messages: readonly string[]): void;
}

/** Makes a label, a hint and a message around a control. */
export function frameControl(
  place: Place,
  schema: SchemaObject,
  { control, beside = [] }: { control: HTMLElement; beside?: readonly HTMLElement[] },
): Framed {
  const isListed = /^(?:SELECT|BUTTON)$/.test(control.tagName);
  const { hint, message } = describePlace(place, schema, !isListed);
  control.id = newId();
  const isNative = /^(?:INPUT|SELECT|TEXTAREA|BUTTON)$/.test(control.tagName);
  const label = make(
    isNative ? 'label' : 'span',
    { class: place.isBare ? 'visually-hidden' : 'ti-label', id: newId() },
    place.label,
  );
  if (isNative) label.setAttribute('for', control.id);
  const described = [message, hint].flatMap((part) => (part === null ? [] : [part.id]));
  control.setAttribute('aria-describedby', described.join(' '));
  if (place.isRequired && /^(?:INPUT|SELECT|TEXTAREA)$/.test(control.tagName)) {
    control.setAttribute('aria-required', 'true');
  }
  return {
    element: make(
      'div',
      { class: 'ti-field' },
      headOf(place, label),
      make('div', { class: 'ti-control' }, control, ...beside),
      message,
      hint,
    ),
    report: (messages) => {
      show(message, messages);
      if (messages.length > 0) control.setAttribute('aria-invalid', 'true');
      else control.removeAttribute('aria-invalid');
    },
  };
}

/** Makes a named group of fields. */
export function frameGroup(place: Place, schema: SchemaObject, body: HTMLElement): Framed {
  const { hint, message } = describePlace(place, schema, false);
  if (place.isBare) {
    return {
      element: make('div', { class: 'ti-group' }, message, body),
      report: (messages) => show(message, messages),
    };
  }
  const element = make(
    'fieldset',
    { class: 'ti-group ti-named', 'aria-describedby': message.id },
    make('legend', {}, make('span', { class: 'ti-label' }, place.label), need(place)),
    removeButton(place),
    hint,
    message,
    body,
  );
  return { element, report: (messages) => show(message, messages) };
}

/** Longer descriptions are shown only on the page. */
const MAX_HINT_CHARACTERS = 140;

/** Makes the hint and the message of a field. A select needs no hint about allowed values. */
function describePlace(place: Place, schema: SchemaObject, hasExpected: boolean) {
  const about = [place.summary, schema.description].find(
    (text) => text !== undefined && text.length <= MAX_HINT_CHARACTERS,
  );
  const expected = schema['x-expected'];
  const parts = [
    place.isBare ? undefined : hasExpected ? (expected ?? about) : about,
    schema.default === undefined ? undefined : `Default: ${jsonText(schema.default)}.`,
  ].filter((part) => part !== undefined);
  const text = parts.join(parts.length > 1 && !/[.!]$/.test(parts[0]!) ? '. ' : ' ');
  return {
    hint: text === '' ? null : make('p', { class: 'ti-hint', id: newId() }, sentence(text)),
    message: make('p', { class: 'ti-message', id: newId(), hidden: true }),
  };
}

function sentence(text: string): string {
  const plain = text.replaceAll('`', '');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function headOf(place: Place, label: HTMLElement): HTMLElement {
  return make(
    'div',
    { class: 'ti-head' },
    label,
    place.isBare ? null : need(place),
    removeButton(place),
  );
}

function need({ isItem, isRequired }: Place): HTMLElement | null {
  if (isItem === true) return null;
  return isRequired
    ? make('span', { class: 'ti-required' }, 'required')
    : make('span', { class: 'ti-optional' }, 'optional');
}

function removeButton({ label, onRemove }: Place): HTMLElement | null {
  if (onRemove === undefined) return null;
  return makeButton('Remove', onRemove, { class: 'ti-remove', 'aria-label': `Remove ${label}` });
}

function show(message: HTMLElement, messages: readonly string[]): void {
  message.hidden = messages.length === 0;
  message.textContent = messages.join(' ');
}
