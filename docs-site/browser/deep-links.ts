import { decodeUri } from '../../common/json/pointer.ts';
import { showTabOf } from './tabs.ts';

/** Opens the folds and tabs around the target of a link and scrolls to it. */
export function startDeepLinks(): void {
  window.addEventListener('hashchange', reveal);
  reveal();
}

function reveal(): void {
  const id = decodeUri(location.hash.slice(1));
  const target = id === '' ? null : document.getElementById(id);
  if (target === null) return;
  target.querySelector<HTMLDetailsElement>(':scope > details')?.setAttribute('open', '');
  for (let up: Element | null = target; up !== null; up = up.parentElement) {
    showTabOf(up);
    if (up instanceof HTMLDetailsElement) up.open = true;
  }
  target.scrollIntoView();
}
