import { showTabOf } from './tabs.ts';

/** Opens the folds and tabs around the target of a link and scrolls to it. */
export function startDeepLinks(): void {
  window.addEventListener('hashchange', reveal);
  reveal();
}

function reveal(): void {
  const id = decodeFragment(location.hash);
  const target = id === '' ? null : document.getElementById(id);
  if (target === null) return;
  target.querySelector<HTMLDetailsElement>(':scope > details')?.setAttribute('open', '');
  for (let up: Element | null = target; up !== null; up = up.parentElement) {
    showTabOf(up);
    if (up instanceof HTMLDetailsElement) up.open = true;
  }
  target.scrollIntoView();
}

function decodeFragment(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}
