import type { Json } from '../../../samples/sample.ts';
import { make, makeButton } from '../../elements.ts';
import type { ObjectShape } from '../schema/shape.ts';
import { readMembers, type Field, type FieldOptions } from './field.ts';
import { frameGroup } from './frame.ts';

/** Makes a group of members with a button for each absent optional member. */
export function makeObject(
  { form, place, schema, value }: FieldOptions,
  shape: ObjectShape,
): Field {
  const given = (value ?? {}) as Readonly<Record<string, Json>>;
  const fields = new Map<string, Field>();
  const list = make('div', { class: 'ti-members' });
  const adders = make('div', { class: 'ti-adders' });
  const known = new Map(shape.members.map((member) => [member.name, member]));

  const put = (name: string, value: Json | undefined): Field => {
    const member = known.get(name);
    const isRequired = member?.isRequired ?? false;
    const schema = member?.schema ?? (shape.others === false ? true : shape.others);
    const field = form.makeField(
      {
        label: name,
        schema,
        isRequired,
        ...(isRequired ? {} : { onRemove: () => remove(name) }),
      },
      value === undefined ? form.reader.initial(schema) : value,
    );
    fields.set(name, field);
    list.append(field.element);
    return field;
  };
  const remove = (name: string): void => {
    fields.get(name)!.element.remove();
    fields.delete(name);
    drawAdders();
    (
      adders.querySelector<HTMLElement>(`[data-name="${CSS.escape(name)}"]`) ?? firstControl()
    ).focus();
    form.changed();
  };
  const add = (name: string): void => {
    const field = put(name, undefined);
    drawAdders();
    field.control.focus();
    form.changed();
  };
  const drawAdders = (): void => {
    const missing = shape.members.filter(({ name }) => !fields.has(name));
    adders.replaceChildren(
      ...missing.map(({ name }) =>
        makeButton(name, () => add(name), {
          class: 'ti-add',
          'data-name': name,
          'aria-label': `Add ${name} to ${place.label}`,
        }),
      ),
      ...(shape.others === false ? [] : [freeAdder(place.label, fields, add)]),
    );
  };
  for (const [name, member] of Object.entries(given)) put(name, member);
  for (const { name, isRequired } of shape.members) {
    if (isRequired && !fields.has(name)) put(name, undefined);
  }
  drawAdders();
  const body = make('div', {}, list, adders);
  const framed = frameGroup(place, schema, body);
  const firstControl = (): HTMLElement =>
    [...fields.values()][0]?.control ?? adders.querySelector('button, input') ?? body;
  return {
    ...framed,
    get control() {
      return firstControl();
    },
    read: () => readMembers(fields),
    child: (token) => fields.get(token),
  };
}

/** Makes an input to add a member with any name. */
function freeAdder(
  label: string,
  taken: ReadonlyMap<string, Field>,
  add: (name: string) => void,
): HTMLElement {
  const name = make('input', {
    type: 'text',
    'aria-label': `Name of a new member of ${label}`,
    placeholder: 'name',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const commit = (): void => {
    if (name.value === '' || taken.has(name.value)) name.focus();
    else add(name.value);
  };
  name.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    commit();
  });
  const button = makeButton('Add', commit, { class: 'ti-add', 'aria-label': `Add to ${label}` });
  return make('span', { class: 'ti-free' }, name, button);
}
