import type { Json } from '../../../../common/samples/sample.ts';
import { make, makeButton } from '../../elements.ts';
import type { ObjectShape } from '../schema/shape.ts';
import type { Field, FieldOptions } from './field.ts';
import { frameGroup } from './frame.ts';
import { Members } from './members.ts';

/** Makes a group of members. */
export function makeObject(
  { form, place, schema, value }: FieldOptions,
  shape: ObjectShape,
): Field {
  const known = new Map(shape.members.map((member) => [member.name, member]));
  const others = shape.others === false ? true : shape.others;
  const members: Members = new Members({
    form,
    names: [...known.keys()],
    isOrdered: false,
    placeOf: (name) => known.get(name) ?? { schema: others, isRequired: false },
    adderLabel: (name) => `Add ${name} to ${place.label}`,
    ...(shape.others !== false && { makeFreeAdder: () => makeFreeAdder(place.label, members) }),
  });
  members.write(Object.entries((value ?? {}) as Readonly<Record<string, Json>>));
  const framed = frameGroup(place, schema, make('div', {}, members.list, members.adders));
  return {
    ...framed,
    get control() {
      return members.control;
    },
    read: () => members.read(),
    child: (token) => members.fields.get(token),
  };
}

/** Makes an input to add a member with any name. */
function makeFreeAdder(label: string, members: Members): HTMLElement {
  const name = make('input', {
    type: 'text',
    'aria-label': `Name of a new member of ${label}`,
    placeholder: 'name',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const commit = (): void => {
    if (name.value === '' || members.fields.has(name.value)) name.focus();
    else members.add(name.value);
  };
  name.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    commit();
  });
  const button = makeButton('Add', commit, { class: 'ti-add', 'aria-label': `Add to ${label}` });
  return make('span', { class: 'ti-free' }, name, button);
}
