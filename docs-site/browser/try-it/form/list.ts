import type { Json } from '../../../../common/samples/sample.ts';
import { make, makeButton } from '../../elements.ts';
import type { ListShape } from '../schema/shape.ts';
import type { Field, FieldOptions } from './field.ts';
import { frameGroup } from './frame.ts';

/** Makes a group of items in order. */
export function makeList({ form, place, schema, value }: FieldOptions, shape: ListShape): Field {
  let fields: readonly Field[] = [];
  const list = make('div', { class: 'ti-members' });
  const read = (): readonly Json[] => fields.map((field) => field.read() ?? null);
  const schemaAt = (index: number) => shape.first[index] ?? shape.rest;

  const draw = (values: readonly Json[]): void => {
    fields = values.map((value, index) =>
      form.makeField(
        {
          label: `${place.label}[${index}]`,
          schema: schemaAt(index) === false ? true : schemaAt(index),
          isRequired: true,
          isItem: true,
          onRemove: () => remove(index),
        },
        value,
      ),
    );
    list.replaceChildren(...fields.map(({ element }) => element));
    const isFull = values.length >= shape.maxItems || schemaAt(values.length) === false;
    adder.disabled = isFull;
    adder.textContent = isFull ? `At most ${values.length} items` : 'Add item';
    adder.setAttribute('aria-label', `${adder.textContent} ${isFull ? 'in' : 'to'} ${place.label}`);
  };
  const add = (): void => {
    const values = read();
    const start = form.reader.initial(schemaAt(values.length));
    draw([...values, start ?? null]);
    fields.at(-1)!.control.focus();
    form.changed();
  };
  const remove = (index: number): void => {
    draw(read().filter((_, at) => at !== index));
    (fields[Math.min(index, fields.length - 1)]?.control ?? adder).focus();
    form.changed();
  };
  const adder = makeButton('Add item', add, { class: 'ti-add' });
  draw((value ?? []) as readonly Json[]);
  const framed = frameGroup(
    place,
    schema,
    make('div', {}, list, make('div', { class: 'ti-adders' }, adder)),
  );
  return {
    ...framed,
    get control() {
      return fields[0]?.control ?? adder;
    },
    read,
    child: (token) => fields[Number(token)],
  };
}
