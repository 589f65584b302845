import { keep, readKept } from './kept.ts';

/**
 * Turns sections that lie below one another into tabs (ARIA Authoring Practices, tabs with automatic
 * activation). The choice is remembered by the kind of tabs, so that a reader's language is asked once;
 * tabs of no kind remember nothing.
 */
export function startTabs(): void {
  for (const [index, group] of document.querySelectorAll<HTMLElement>('[data-tabs]').entries()) {
    makeTabs(group, `tabs-${index}`);
  }
}

/** Shows the panel a place is in. */
export function showTabOf(panel: Element): void {
  const tab =
    panel.getAttribute('role') === 'tabpanel' ? panel.getAttribute('aria-labelledby') : '';
  if (panel instanceof HTMLElement && panel.hidden && tab) document.getElementById(tab)?.click();
}

function makeTabs(group: HTMLElement, id: string): void {
  const panels = [...group.querySelectorAll<HTMLElement>(':scope > [data-tab]')];
  const { tabs: name = '' } = group.dataset;
  const kind = name === '' ? null : `docs-tab-${name}`;
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', group.getAttribute('aria-label') ?? '');
  const tabs = panels.map((panel, index) => {
    panel.id ||= `${id}-${index}`;
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.textContent = panel.dataset['label'] ?? '';
    tab.setAttribute('role', 'tab');
    tab.id = `${panel.id}-tab`;
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    return tab;
  });
  const select = (index: number): void => {
    for (const [at, panel] of panels.entries()) {
      panel.hidden = at !== index;
      tabs[at]!.setAttribute('aria-selected', String(at === index));
      tabs[at]!.tabIndex = at === index ? 0 : -1;
    }
  };
  list.append(...tabs);
  panels[0]?.before(list);
  const remembered = kind === null ? null : readKept(kind);
  const linked = panels.findIndex(({ id }) => `#${id}` === location.hash);
  const kept = panels.findIndex((panel) => panel.dataset['tab'] === remembered);
  select(Math.max(0, linked >= 0 ? linked : kept));
  group.dataset['ready'] = '';
  const choose = (index: number): void => {
    select(index);
    if (kind !== null) keep(kind, panels[index]?.dataset['tab'] ?? '');
  };
  list.addEventListener('click', ({ target }) => {
    const index = tabs.indexOf(target as HTMLButtonElement);
    if (index >= 0) choose(index);
  });
  list.addEventListener('keydown', (event) => {
    const index = tabs.indexOf(event.target as HTMLButtonElement);
    const last = tabs.length - 1;
    const next = {
      ArrowRight: index === last ? 0 : index + 1,
      ArrowLeft: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    tabs[next]!.focus();
  });
}
