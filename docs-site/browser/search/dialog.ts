import { make, makeButton } from '../elements.ts';
import { find, type Found, type Results } from './index.ts';

interface Parts {
  readonly dialog: HTMLDialogElement;
  readonly input: HTMLInputElement;
  readonly list: HTMLElement;
  readonly status: HTMLElement;
}

const HINT = 'Arrow keys to select, Enter to open, Escape to close.';

let parts: Parts | undefined;
let selected = -1;

/** Opens the search dialog with a term. It is a combobox with a list (ARIA Authoring Practices). */
export function openSearch(term = ''): void {
  const { dialog, input } = (parts ??= makeDialog());
  if (!dialog.open) dialog.showModal();
  if (term === '') return input.select();
  input.value = term;
  input.dispatchEvent(new Event('input'));
}

function makeDialog(): Parts {
  const input = make('input', {
    // In a search field, Escape would clear the text instead of closing the dialog.
    type: 'text',
    enterkeyhint: 'search',
    id: 'search-input',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'Methods, parameters, fields, errors, guides',
    role: 'combobox',
    'aria-label': 'Search the documentation',
    'aria-expanded': 'false',
    'aria-controls': 'search-results',
    'aria-autocomplete': 'list',
  });
  const list = make('div', { id: 'search-results', role: 'listbox', 'aria-label': 'Results' });
  const status = make('p', { role: 'status' }, HINT);
  const dialog = make(
    'dialog',
    { class: 'search', 'aria-label': 'Search' },
    make(
      'div',
      { class: 'search-head' },
      input,
      makeButton('Close', () => parts?.dialog.close()),
    ),
    status,
    list,
  );
  document.body.append(dialog);
  const made = { dialog, input, list, status };
  input.addEventListener('input', () => void search(made));
  input.addEventListener('keydown', (event) => onKey(event, made));
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  list.addEventListener('click', ({ target }) => {
    const option = (target as Element).closest<HTMLElement>('[role=option]');
    if (option !== null) go(option, made);
  });
  return made;
}

async function search(parts: Parts): Promise<void> {
  const term = parts.input.value.trim();
  if (term === '') return show([], HINT, parts);
  try {
    const results = await find(term);
    if (results === null || parts.input.value.trim() !== term) return;
    show(results.found, describeCount(results, term), parts);
  } catch {
    show(
      [],
      'Search could not be loaded. It does not work on pages opened from a local file.',
      parts,
    );
  }
}

function describeCount({ found, total }: Results, term: string): string {
  if (found.length === 0) return `No results for “${term}”`;
  if (found.length < total) return `First ${found.length} of ${total} results`;
  return total === 1 ? '1 result' : `${total} results`;
}

function show(found: readonly Found[], text: string, { input, list, status }: Parts): void {
  list.replaceChildren(...found.map(makeOption));
  status.textContent = text;
  input.setAttribute('aria-expanded', String(found.length > 0));
  select(found.length > 0 ? 0 : -1, { input, list });
}

function makeOption({ url, title, kind, context, excerpt }: Found, index: number): HTMLElement {
  const pieces = excerpt.map((piece, at) => (at % 2 === 0 ? piece : make('mark', {}, piece)));
  return make(
    'div',
    { id: `search-result-${index}`, role: 'option', 'data-url': url },
    make('span', { class: 'search-kind' }, kind),
    make('span', { class: 'search-title' }, title),
    make('span', { class: 'search-context' }, context),
    make('span', { class: 'search-excerpt' }, ...pieces),
  );
}

function select(index: number, { input, list }: Pick<Parts, 'input' | 'list'>): void {
  const options = [...list.children];
  selected = options.length === 0 ? -1 : (index + options.length) % options.length;
  for (const [at, option] of options.entries()) {
    option.setAttribute('aria-selected', String(at === selected));
  }
  const option = options[selected];
  if (option === undefined) return input.removeAttribute('aria-activedescendant');
  input.setAttribute('aria-activedescendant', option.id);
  option.scrollIntoView({ block: 'nearest' });
}

function onKey(event: KeyboardEvent, parts: Parts): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    select(selected + step, parts);
  }
  const option = parts.list.children[selected];
  if (event.key === 'Enter' && option instanceof HTMLElement) {
    event.preventDefault();
    go(option, parts);
  }
}

function go(option: HTMLElement, { dialog }: Parts): void {
  dialog.close();
  location.href = option.dataset['url'] ?? '';
}
