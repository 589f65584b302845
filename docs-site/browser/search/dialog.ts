import { find, type Found, type Results } from './index.ts';

/** Opens the search over the page, looking for `typed`. It is a combobox with a list (ARIA Authoring Practices). */
export function openSearch(typed = ''): void {
  const { dialog, input } = (made ??= make());
  if (!dialog.open) dialog.showModal();
  if (typed === '') return input.select();
  input.value = typed;
  input.dispatchEvent(new Event('input'));
}

interface Parts {
  readonly dialog: HTMLDialogElement;
  readonly input: HTMLInputElement;
  readonly list: HTMLElement;
  readonly status: HTMLElement;
}

const IDLE = 'Arrow keys choose, Enter opens, Escape closes.';

let made: Parts | undefined;
let chosen = -1;

function make(): Parts {
  const dialog = document.createElement('dialog');
  dialog.className = 'search';
  dialog.setAttribute('aria-label', 'Search');
  const input = document.createElement('input');
  Object.assign(input, {
    // Not a search field: there, Escape would empty it instead of closing the dialog.
    type: 'text',
    enterKeyHint: 'search',
    id: 'search-input',
    autocomplete: 'off',
    spellcheck: false,
  });
  input.placeholder = 'Methods, parameters, fields, errors, guides';
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-label': 'Search the documentation',
    'aria-expanded': 'false',
    'aria-controls': 'search-results',
    'aria-autocomplete': 'list',
  })) {
    input.setAttribute(name, value);
  }
  const list = document.createElement('div');
  list.id = 'search-results';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Results');
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  status.textContent = IDLE;
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  const head = document.createElement('div');
  head.className = 'search-head';
  head.append(input, close);
  dialog.append(head, status, list);
  document.body.append(dialog);
  const parts = { dialog, input, list, status };
  input.addEventListener('input', () => void search(parts));
  input.addEventListener('keydown', (event) => onKey(event, parts));
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  list.addEventListener('click', ({ target }) => {
    const option = (target as Element).closest<HTMLElement>('[role=option]');
    if (option !== null) go(option, parts);
  });
  return parts;
}

async function search(parts: Parts): Promise<void> {
  const term = parts.input.value.trim();
  if (term === '') return show([], IDLE, parts);
  try {
    const results = await find(term);
    if (results === null || parts.input.value.trim() !== term) return;
    show(results.found, tellCount(results, term), parts);
  } catch {
    show(
      [],
      'The search cannot be loaded. It needs a server: a page opened as a file has none.',
      parts,
    );
  }
}

function tellCount({ found, total }: Results, term: string): string {
  if (found.length === 0) return `Nothing found for “${term}”`;
  if (found.length < total) return `The first ${found.length} of ${total} results`;
  return total === 1 ? '1 result' : `${total} results`;
}

function show(found: readonly Found[], status: string, { input, list, status: line }: Parts): void {
  list.replaceChildren(...found.map(renderOption));
  line.textContent = status;
  input.setAttribute('aria-expanded', String(found.length > 0));
  choose(found.length > 0 ? 0 : -1, { input, list });
}

function renderOption(found: Found, index: number): HTMLElement {
  const option = document.createElement('div');
  option.id = `search-result-${index}`;
  option.setAttribute('role', 'option');
  option.dataset['url'] = found.url;
  const title = element('span', 'search-title', found.title);
  const kind = element('span', 'search-kind', found.kind);
  const context = element('span', 'search-context', found.context);
  const excerpt = element('span', 'search-excerpt', '');
  excerpt.append(
    ...found.excerpt.map((piece, at) => (at % 2 === 0 ? piece : element('mark', '', piece))),
  );
  option.append(kind, title, context, excerpt);
  return option;
}

function element(tag: string, className: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function choose(index: number, { input, list }: Pick<Parts, 'input' | 'list'>): void {
  const options = [...list.children];
  chosen = options.length === 0 ? -1 : (index + options.length) % options.length;
  for (const [at, option] of options.entries()) {
    option.setAttribute('aria-selected', String(at === chosen));
  }
  const option = options[chosen];
  if (option === undefined) return input.removeAttribute('aria-activedescendant');
  input.setAttribute('aria-activedescendant', option.id);
  option.scrollIntoView({ block: 'nearest' });
}

function onKey(event: KeyboardEvent, parts: Parts): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    choose(chosen + step, parts);
  }
  const option = parts.list.children[chosen];
  if (event.key === 'Enter' && option instanceof HTMLElement) {
    event.preventDefault();
    go(option, parts);
  }
}

function go(option: HTMLElement, { dialog }: Parts): void {
  dialog.close();
  location.href = option.dataset['url'] ?? '';
}
