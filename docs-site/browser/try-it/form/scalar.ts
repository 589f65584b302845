import { jsonText } from '../../../../common/samples/json-text.ts';
import type { Json } from '../../../../common/samples/sample.ts';
import { make, makeButton } from '../../elements.ts';
import { integerOf } from '../json.ts';
import type { ScalarShape } from '../schema/shape.ts';
import { choiceText } from './choice.ts';
import type { Field, FieldOptions } from './field.ts';
import { frameControl } from './frame.ts';

/** More suggestions would fill the form. */
const MAX_BUTTONS = 8;

/** Longer texts get a textarea. */
const LONG_TEXT = 90;

/**
 * Makes an input for text or a number, with buttons for values the schema lists, such as block tags
 * or null. When both text and numbers are allowed, a select decides whether digits are text or a number.
 */
export function makeScalar(
  { form, place, schema, value }: FieldOptions,
  shape: ScalarShape,
): Field {
  const { offers, takesText, takesNumber } = shape;
  let current = value;
  const isLong = typeof value === 'string' && value.length > LONG_TEXT;
  const control = make(isLong ? 'textarea' : 'input', {
    ...(isLong ? { rows: 3 } : { type: 'text' }),
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'none',
    inputmode: takesNumber && !takesText ? 'decimal' : undefined,
    placeholder: placeholderOf(schema.examples),
  });
  const kind =
    takesText && takesNumber
      ? make(
          'select',
          { 'aria-label': `${place.label}: type`, class: 'ti-kind' },
          make('option', {}, 'text'),
          make('option', {}, 'number'),
        )
      : null;
  if (kind !== null && isNumber(value)) kind.selectedIndex = 1;
  const buttons = offers.slice(0, MAX_BUTTONS).map((offer) =>
    makeButton(choiceText(offer), () => take(offer), {
      class: 'ti-offer',
      'aria-label': `${place.label}: ${choiceText(offer)}`,
    }),
  );
  const draw = (): void => {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute('aria-pressed', String(offers[index] === current));
    }
  };
  const take = (offer: Json): void => {
    current = offer;
    control.value = typeof offer === 'string' ? offer : '';
    draw();
    form.changed();
  };
  const readControl = (): void => {
    current = scalarOf(control.value, shape, kind?.selectedIndex === 1);
    draw();
    form.changed();
  };
  control.addEventListener('input', readControl);
  kind?.addEventListener('change', readControl);
  control.value = typeof value === 'string' ? value : isNumber(value) ? jsonText(value) : '';
  draw();
  const row =
    buttons.length === 0
      ? []
      : [
          make(
            'div',
            { class: 'ti-offers', role: 'group', 'aria-label': `${place.label}: suggestions` },
            ...buttons,
          ),
        ];
  const beside = kind === null ? row : [kind, ...row];
  const framed = frameControl(place, schema, { control, beside });
  return { ...framed, control, read: () => current, child: () => undefined };
}

/** Parses the input; an invalid number stays text, which the validator reports. */
function scalarOf(
  text: string,
  { takesText, takesNumber }: ScalarShape,
  asNumber: boolean,
): Json | undefined {
  const isNumeric = takesNumber && (!takesText || asNumber);
  if (!isNumeric) return text;
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (/^-?(?:0|[1-9]\d*)$/.test(trimmed)) return integerOf(trimmed);
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed) ? Number(trimmed) : text;
}

function isNumber(value: Json | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function placeholderOf(examples: readonly Json[] | undefined): string | undefined {
  const [first] = examples ?? [];
  return first === undefined || typeof first === 'object' ? undefined : choiceText(first);
}
