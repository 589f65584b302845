import { make } from './elements.ts';
import { browserMemory } from './storage.ts';
import { listenToTabs, selectTab } from './tab-list.ts';

/**
 * Turns groups of sections into tabs. The choice is remembered by kind of group, so that a reader
 * chooses a language once; groups without a kind remember nothing.
 */
export function startTabs(): void {
  for (const [index, group] of document.querySelectorAll<HTMLElement>('[data-tabs]').entries()) {
    makeTabs(group, `tabs-${index}`);
  }
}

/** Shows a tab panel if it is hidden. */
export function showTabOf(panel: Element): void {
  const tab =
    panel.getAttribute('role') === 'tabpanel' ? panel.getAttribute('aria-labelledby') : '';
  if (panel instanceof HTMLElement && panel.hidden && tab) document.getElementById(tab)?.click();
}

function makeTabs(group: HTMLElement, id: string): void {
  const panels = [...group.querySelectorAll<HTMLElement>(':scope > [data-tab]')];
  const { tabs: kind = '' } = group.dataset;
  const memory = kind === '' ? null : `docs-tab-${kind}`;
  const tabs = panels.map((panel, index) => makeTab(panel, `${id}-${index}`));
  const label = group.getAttribute('aria-label') ?? '';
  const list = make('div', { role: 'tablist', 'aria-label': label }, ...tabs);
  panels[0]?.before(list);
  const select = (index: number): void => {
    for (const [at, panel] of panels.entries()) panel.hidden = at !== index;
    selectTab(tabs, index);
  };
  const linked = panels.findIndex(({ id }) => `#${id}` === location.hash);
  const remembered = memory === null ? null : browserMemory.read(memory);
  const kept = panels.findIndex((panel) => panel.dataset['tab'] === remembered);
  select(Math.max(0, linked >= 0 ? linked : kept));
  group.dataset['ready'] = '';
  listenToTabs(list, tabs, (index) => {
    select(index);
    if (memory !== null) browserMemory.write(memory, panels[index]?.dataset['tab'] ?? '');
  });
}

function makeTab(panel: HTMLElement, id: string): HTMLElement {
  panel.id ||= id;
  const tab = make(
    'button',
    { type: 'button', role: 'tab', id: `${panel.id}-tab`, 'aria-controls': panel.id },
    panel.dataset['label'] ?? '',
  );
  panel.setAttribute('role', 'tabpanel');
  panel.setAttribute('aria-labelledby', tab.id);
  return tab;
}
