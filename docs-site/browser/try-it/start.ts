import { loadModule } from '../load-module.ts';
import type * as Console from './console.ts';

/** How far from the window the console is made ready. */
const NEAR = '200px';

const consoleModule = loadModule<typeof Console>('assets/console.js');

/** Makes the console of a method page when a reader comes to it; a link to a call goes there at once. */
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
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'tool', textContent: 'Try again' });
  button.addEventListener('click', () => {
    // A second press would open it twice.
    fallback.textContent = 'Loading…';
    retry();
  });
  fallback.replaceChildren('Try it could not be loaded: check your connection. ', button);
}
