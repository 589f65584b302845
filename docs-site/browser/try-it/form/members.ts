import type { Json } from '../../../../common/samples/sample.ts';
import { make, makeButton } from '../../elements.ts';
import type { Field, Form, Place } from './field.ts';

export interface MembersOptions {
  readonly form: Form;
  /** The known members; others are put after them. */
  readonly names: readonly string[];
  readonly isOrdered: boolean;
  /** Describes the field of a member. */
  placeOf(name: string): Omit<Place, 'label' | 'onRemove'>;
  /** Returns the accessible name of the button that adds a member. */
  adderLabel(name: string): string;
  /** Makes an element that adds members with any name. */
  makeFreeAdder?(): HTMLElement;
}

/** Named fields, with a button for each known member that is absent. */
export class Members {
  readonly fields = new Map<string, Field>();
  readonly list = make('div', { class: 'ti-members' });
  readonly adders = make('div', { class: 'ti-adders' });
  readonly #options: MembersOptions;

  constructor(options: MembersOptions) {
    this.#options = options;
  }

  /** Replaces all members; absent required ones are added. */
  write(entries: Iterable<readonly [string, Json]>): void {
    const { names, placeOf } = this.#options;
    this.fields.clear();
    for (const [name, value] of entries) this.#put(name, value);
    for (const name of names) {
      if (placeOf(name).isRequired && !this.fields.has(name)) this.#put(name);
    }
    this.#draw();
  }

  /** Returns the values, without members that have none. */
  read(): Readonly<Record<string, Json>> {
    return Object.fromEntries(
      [...this.fields].flatMap(([name, field]) => {
        const value = field.read();
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }

  add(name: string): void {
    this.#put(name);
    this.#draw();
    this.fields.get(name)!.control.focus();
    this.#options.form.changed();
  }

  /** The first field, or the first element that adds one. */
  get control(): HTMLElement {
    const [first] = this.fields.values();
    return first?.control ?? this.adders.querySelector('button, input') ?? this.list;
  }

  #put(name: string, value?: Json): void {
    const { form, placeOf } = this.#options;
    const place = placeOf(name);
    const initial = value === undefined ? form.reader.initial(place.schema) : value;
    const removal = place.isRequired ? {} : { onRemove: () => this.#remove(name) };
    this.fields.set(name, form.makeField({ ...place, label: name, ...removal }, initial));
  }

  #remove(name: string): void {
    this.fields.delete(name);
    this.#draw();
    const adder = this.adders.querySelector<HTMLElement>(`[data-name="${CSS.escape(name)}"]`);
    (adder ?? this.control).focus();
    this.#options.form.changed();
  }

  #draw(): void {
    const { names, isOrdered, adderLabel, makeFreeAdder } = this.#options;
    const order = isOrdered ? new Set([...names, ...this.fields.keys()]) : this.fields.keys();
    this.list.replaceChildren(
      ...[...order].flatMap((name) => this.fields.get(name)?.element ?? []),
    );
    const missing = names.filter((name) => !this.fields.has(name));
    const buttons = missing.map((name) =>
      makeButton(name, () => this.add(name), {
        class: 'ti-add',
        'data-name': name,
        'aria-label': adderLabel(name),
      }),
    );
    this.adders.replaceChildren(...buttons, ...(makeFreeAdder ? [makeFreeAdder()] : []));
  }
}
