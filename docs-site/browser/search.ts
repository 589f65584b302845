import type * as Dialog from './search/dialog.ts';
import { loadModule } from './site-files.ts';

const dialog = loadModule<typeof Dialog>('assets/dialog.js');

/** Loads the search dialog and opens it with a term. */
export async function openSearch(term: string): Promise<void> {
  (await dialog.load()).openSearch(term);
}

/** Starts the search button and its keyboard shortcuts: "/", Ctrl+K and ⌘+K. */
export function startSearch(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-search]');
  if (button === null) return;
  const open = async (): Promise<void> => {
    const typing = collectTyping();
    try {
      await dialog.load();
      await openSearch(typing.text());
    } finally {
      typing.end();
    }
  };
  button.hidden = false;
  button.addEventListener('click', () => void open());
  document.addEventListener('keydown', (event) => {
    const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isCommand && !(isSlash && !isTyping(event.target))) return;
    event.preventDefault();
    void open();
  });
}

/** Collects the keys typed while the dialog is loading. */
function collectTyping() {
  let typed = '';
  const listen = (event: KeyboardEvent): void => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    typed += event.key;
  };
  document.addEventListener('keydown', listen, { capture: true });
  return {
    text: () => typed,
    end: () => document.removeEventListener('keydown', listen, { capture: true }),
  };
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
