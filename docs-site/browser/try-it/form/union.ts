import type { Json } from '../../../../common/samples/sample.ts';
import { make, newId } from '../../elements.ts';
import type { UnionShape } from '../schema/shape.ts';
import { makeTabList } from '../../tab-list.ts';
import type { Field, FieldOptions } from './field.ts';
import { frameGroup } from './frame.ts';

/** Makes tabs for the variants of a schema; each tab keeps its values. */
export function makeUnion({ form, place, schema, value }: FieldOptions, shape: UnionShape): Field {
  const { variants } = shape;
  const kept = new Map<number, Json | undefined>();
  let selected = form.reader.variantOf(shape, value);
  const panel = make('div', { role: 'tabpanel', id: newId(), 'aria-label': place.label });
  const draw = (value: Json | undefined): Field => {
    const { schema, title } = variants[selected]!;
    const label = `${place.label}: ${title}`;
    const field = form.makeField({ label, schema, isRequired: true, isBare: true }, value);
    panel.setAttribute('aria-label', label);
    panel.replaceChildren(field.element);
    return field;
  };
  let inner = draw(value);
  const tabs = makeTabList({
    label: `${place.label}: variant`,
    titles: variants.map(({ title }) => title),
    selected,
    panel: panel.id,
    onSelect: (index) => {
      kept.set(selected, inner.read());
      selected = index;
      inner = draw(
        kept.has(index) ? kept.get(index) : form.reader.initial(variants[index]!.schema),
      );
      form.changed();
    },
  });
  const framed = frameGroup(place, schema, make('div', {}, tabs.element, panel));
  return {
    element: framed.element,
    get control() {
      return inner.control;
    },
    read: () => inner.read(),
    child: (token) => inner.child(token),
    report: framed.report,
  };
}
