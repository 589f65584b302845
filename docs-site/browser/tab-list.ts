import { make } from './elements.ts';

export function selectTab(tabs: readonly HTMLElement[], index: number): void {
  for (const [at, tab] of tabs.entries()) {
    tab.setAttribute('aria-selected', String(at === index));
    tab.tabIndex = at === index ? 0 : -1;
  }
}

/** Calls `choose` on clicks and keys (ARIA Authoring Practices, tabs with automatic activation). */
export function listenToTabs(
  list: HTMLElement,
  tabs: readonly HTMLElement[],
  choose: (index: number) => void,
): void {
  list.addEventListener('click', ({ target }) => {
    const index = tabs.indexOf(target as HTMLElement);
    if (index >= 0) choose(index);
  });
  list.addEventListener('keydown', (event) => {
    const index = tabs.indexOf(event.target as HTMLElement);
    const next = nextTab(event.key, index, tabs.length);
    if (index < 0 || next === undefined) return;
    event.preventDefault();
    choose(next);
    tabs[next]!.focus();
  });
}

function nextTab(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

export interface TabListOptions {
  readonly label: string;
  readonly titles: readonly string[];
  readonly selected: number;
  /** Id of the element that the tabs change. */
  readonly panel: string;
  onSelect(index: number): void;
}

/** Creates tabs for a single panel that is redrawn. */
export function makeTabList({ label, titles, selected, panel, onSelect }: TabListOptions): {
  readonly element: HTMLElement;
  select(index: number): void;
} {
  const tabs = titles.map((title) =>
    make('button', { type: 'button', role: 'tab', 'aria-controls': panel }, title),
  );
  const element = make('div', { role: 'tablist', 'aria-label': label }, ...tabs);
  const select = (index: number): void => selectTab(tabs, index);
  listenToTabs(element, tabs, (index) => {
    select(index);
    onSelect(index);
  });
  select(selected);
  return { element, select };
}
