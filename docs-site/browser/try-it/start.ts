/** How far from the window the console is made ready. */
const NEAR = '200px';

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
    void import('./console.ts')
      .then(({ openConsole }) => openConsole(mount))
      .catch(() => {
        const fallback = mount.querySelector('.try-it-fallback');
        if (fallback === null) return;
        fallback.textContent =
          'Try it could not be loaded: see whether you are online, and reload the page.';
      });
  };
  if (location.hash.startsWith('#try-it')) open();
  else observer.observe(mount);
}
