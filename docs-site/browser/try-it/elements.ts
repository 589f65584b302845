type Property = string | number | boolean | undefined | ((event: Event) => void);

/** An element with attributes, listeners (`onclick: …`) and children. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Readonly<Record<string, Property>> = {},
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

/** A button that submits nothing. */
export function makeButton(
  text: string,
  onclick: () => void,
  properties: Readonly<Record<string, Property>> = {},
): HTMLButtonElement {
  return make('button', { type: 'button', ...properties, onclick }, text);
}

let count = 0;

/** An id no other element of the page has. */
export function newId(): string {
  count += 1;
  return `ti-${count}`;
}
