import { make, makeButton } from '../elements.ts';

/** Longer texts are cut until they are asked for: laying out megabytes stops the page for seconds. */
const MAX_CHARS = 256 * 1024;

/** An answer as text. */
export function makeRaw(text: string): HTMLElement {
  const pre = make('pre', {
    class: 'code',
    tabindex: 0,
    role: 'region',
    'aria-label': 'Answer as text',
  });
  pre.textContent = text.slice(0, MAX_CHARS);
  if (text.length <= MAX_CHARS) return pre;
  const more = makeButton(
    `Show all ${text.length.toLocaleString('en')} characters`,
    () => {
      pre.textContent = text;
      more.remove();
      pre.focus();
    },
    { class: 'tool' },
  );
  return make('div', { class: 'ti-cut' }, pre, more);
}
