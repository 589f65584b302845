import { jsonText } from '../../../samples/json-text.ts';
import type { Json } from '../../../samples/sample.ts';
import { make, makeButton } from '../elements.ts';
import { integerOf } from '../json/parse.ts';
import type { ScalarShape } from '../schema/shape.ts';
import { choiceText, type Control } from './choice.ts';
import type { Field } from './field.ts';
import { frameControl } from './frame.ts';

/** More than these are a list to type into, not a row of buttons. */
const MAX_BUTTONS = 8;

/** Longer texts get more than a line. */
const LONG_TEXT = 90;

/**
 * A line of text or a number. Values the schema names, such as block tags or null, are beside it as
 * buttons; where text and numbers are both allowed, a choice says which of them digits are.
 */
export function makeScalar({ form, place, schema, value }: Control, shape: ScalarShape): Field {
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
          { 'aria-label': `${place.label}: kind of value`, class: 'ti-kind' },
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
            { class: 'ti-offers', role: 'group', 'aria-label': `${place.label}: offers` },
            ...buttons,
          ),
        ];
  const beside = kind === null ? row : [kind, ...row];
  const framed = frameControl(place, schema, { control, beside });
  return { ...framed, control, read: () => current, child: () => undefined };
}

/** What a text stands for: what is no number stays text, so that the validator can say so. */
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
