import { make } from './elements.ts';

export interface TabListOptions {
  readonly label: string;
  readonly titles: readonly string[];
  readonly selected: number;
  /** Id of the element the tabs change. */
  readonly panel: string;
  onSelect(index: number): void;
}

/** Tabs over one panel that is drawn anew (ARIA Authoring Practices, automatic activation). */
export function makeTabList({ label, titles, panel, ...options }: TabListOptions): {
  readonly element: HTMLElement;
  select(index: number): void;
} {
  const tabs = titles.map((title) =>
    make('button', { type: 'button', role: 'tab', 'aria-controls': panel }, title),
  );
  const select = (index: number): void => {
    for (const [at, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(at === index));
      tab.tabIndex = at === index ? 0 : -1;
    }
  };
  const choose = (index: number): void => {
    select(index);
    options.onSelect(index);
  };
  const element = make('div', { role: 'tablist', 'aria-label': label }, ...tabs);
  element.addEventListener('click', ({ target }) => {
    const index = tabs.indexOf(target as HTMLButtonElement);
    if (index >= 0) choose(index);
  });
  element.addEventListener('keydown', (event) => {
    const index = tabs.indexOf(event.target as HTMLButtonElement);
    const next = nextTab(event.key, index, tabs.length);
    if (index < 0 || next === undefined) return;
    event.preventDefault();
    choose(next);
    tabs[next]!.focus();
  });
  select(options.selected);
  return { element, select };
}

function nextTab(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
