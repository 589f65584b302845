import { makeButton } from '../elements.ts';
import { loadModule } from '../site-files.ts';
import type * as Console from './console.ts';

/** Distance from the viewport at which the console is loaded. */
const NEAR = '200px';

const consoleModule = loadModule<typeof Console>('assets/console.js');

/** Loads the console of a method page when it comes into view, or at once for a link to a call. */
export function startTryIt(): void {
  const mount = document.querySelector<HTMLElement>('#try-it[data-source]');
  if (mount === null) return;
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) open();
    },
    { rootMargin: NEAR },
  );
  const open = (): void => {
    observer.disconnect();
    consoleModule
      .load()
      .then(({ openConsole }) => openConsole(mount))
      .catch(() => showFailure(mount, open));
  };
  if (location.hash.startsWith('#try-it')) open();
  else observer.observe(mount);
}

function showFailure(mount: HTMLElement, retry: () => void): void {
  const fallback = mount.querySelector('.try-it-fallback');
  if (fallback === null) return;
  const onClick = (): void => {
    // Removes the button, since a second click would open the console twice.
    fallback.textContent = 'Loading…';
    retry();
  };
  const button = makeButton('Try again', onClick, { class: 'tool' });
  fallback.replaceChildren('Could not load the console. Check your connection. ', button);
}
