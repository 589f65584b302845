/** Fills in a form by keyboard only: Tab, Enter, arrows and typing. */
import type { Locator, Page } from 'playwright-core';
import type { Json } from './document.ts';

/** Maximum stops between two elements of a page that can be reached by Tab. */
const MAX_STOPS = 150;

/** What of an element is asked for in the browser. */
interface Placed {
  readonly ownerDocument: { readonly activeElement: Placed };
  readonly role: string | null;
  readonly tagName: string;
  compareDocumentPosition(other: Placed): number;
}

/** Presses Tab, or Shift and Tab, until a place has the focus. */
export async function tabTo(page: Page, place: Locator): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    // Bit 2: the place stands before what has the focus (DOM, compareDocumentPosition).
    const way = await place.evaluate((place: Placed) => {
      const focused = place.ownerDocument.activeElement;
      if (focused === place) return 'here';
      return focused.compareDocumentPosition(place) & 2 ? 'back' : 'on';
    });
    if (way === 'here') return;
    await page.keyboard.press(way === 'on' ? 'Tab' : 'Shift+Tab');
  }
  throw new Error(`the keyboard does not lead to ${String(place)}`);
}

export async function pressOn(page: Page, place: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, place);
  await page.keyboard.press(key);
}

interface Group {
  readonly page: Page;
  readonly scope: Locator;
  /** What the group is called in the names of its buttons; null for the whole form. */
  readonly label: string | null;
}

/** The tab an object is under that has this member. */
const TABS: Readonly<Record<string, string>> = {
  dataSize: 'Data size filter',
  memcmp: 'Memory comparison filter',
};

/** Sets a member of a group, which is added first where it is not there yet. */
export async function setByKeyboard(group: Group, name: string, value: Json): Promise<void> {
  const { page, scope, label } = group;
  const adding = `Add ${name}${label === null ? '' : ` to ${label}`}`;
  const adder = scope.getByRole('button', { name: adding, exact: true });
  const naming = scope.getByLabel(`Name of a new member of ${label}`, { exact: true });
  if ((await adder.count()) > 0) await pressOn(page, adder);
  else if ((await naming.count()) > 0) {
    await tabTo(page, naming.first());
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
  }
  if (typeof value !== 'object' || value === null) return setScalar(group, name, value);
  const within = scope
    .locator('fieldset')
    .filter({ has: page.locator(':scope > legend').getByText(name, { exact: true }) })
    .first();
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const more = within.getByRole('button', { name: `Add item to ${name}`, exact: true });
      await pressOn(page, more);
      await setByKeyboard({ page, scope: within, label: name }, `${name}[${index}]`, item);
    }
    return;
  }
  const title = TABS[Object.keys(value)[0] ?? ''];
  if (title !== undefined) await chooseTab(page, within, title);
  const inner = { page, scope: within, label: title === undefined ? name : `${name}: ${title}` };
  for (const [member, found] of Object.entries(value)) await setByKeyboard(inner, member, found);
}

async function chooseTab(page: Page, scope: Locator, title: string): Promise<void> {
  const tab = scope.getByRole('tab', { name: title });
  await tabTo(page, scope.locator('[role=tab][aria-selected=true]').first());
  for (let turn = 0; turn < MAX_STOPS; turn += 1) {
    if ((await tab.getAttribute('aria-selected')) === 'true') return;
    await page.keyboard.press('ArrowRight');
  }
}

async function setScalar({ page, scope }: Group, name: string, value: Json): Promise<void> {
  const named = scope.getByLabel(name, { exact: true });
  // The text variant of a union, which is selected first, is labeled with its title too.
  const variant = scope.getByRole('textbox', { name: new RegExp(`^${name}: `) });
  const control = (await named.count()) > 0 ? named.first() : variant.first();
  await tabTo(page, control);
  const kind = await control.evaluate((place: Placed) => place.role ?? place.tagName);
  if (kind === 'switch') {
    const state = await control.getAttribute('aria-checked');
    if (state !== String(value)) await page.keyboard.press('Enter');
  } else if (kind === 'SELECT') {
    const options = await control.locator('option').allInnerTexts();
    await page.keyboard.press('Home');
    for (const _ of options.slice(0, options.indexOf(String(value)))) {
      await page.keyboard.press('ArrowDown');
    }
  } else {
    await page.keyboard.press('Control+a');
    await page.keyboard.type(String(value));
  }
}
