/** Scrolls a menu longer than the window to the entry of the page. */
export function startMenu(): void {
  const menu = document.getElementById('menu');
  const current = menu?.querySelector<HTMLElement>('[aria-current]');
  if (!menu || !current) return;
  const { top, bottom } = menu.getBoundingClientRect();
  const place = current.getBoundingClientRect();
  if (place.bottom > bottom) menu.scrollTop += place.top - (top + bottom) / 2;
}
