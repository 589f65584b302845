type Property = string | number | boolean | undefined | ((event: Event) => void);
type Properties = Readonly<Record<string, Property>>;

/** Creates an element with attributes, listeners (`onclick: …`) and children. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly (Node | string | null)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Creates a button that does not submit a form. */
export function makeButton(
  text: string,
  onclick: () => void,
  properties: Properties = {},
): HTMLButtonElement {
  return make('button', { type: 'button', ...properties, onclick }, text);
}

let count = 0;

/** Returns an id that is unique on the page. */
export function newId(): string {
  count += 1;
  return `ti-${count}`;
}

/** Makes a field of the console: a control below its label, and a hint. */
export function makeField(
  title: string,
  control: HTMLElement,
  { kind = '', hint = null }: { readonly kind?: string; readonly hint?: HTMLElement | null } = {},
): HTMLElement {
  const label = make('label', { for: control.id, class: 'ti-label' }, title);
  return make('div', { class: `ti-field${kind}` }, label, control, hint);
}

/** Makes a button that shows the whole of a truncated text. */
export function makeShowAll(text: string, show: () => void, kind: string): HTMLButtonElement {
  const button = makeButton(
    `Show all ${text.length.toLocaleString('en')} characters`,
    () => {
      show();
      button.remove();
    },
    { class: kind },
  );
  return button;
}
