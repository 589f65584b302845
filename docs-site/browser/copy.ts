import { make, makeButton } from './elements.ts';

/** Starts the button that copies the page as Markdown, and adds one to each block of code. */
export function startCopying(): void {
  const page = document.querySelector<HTMLButtonElement>('[data-copy-page]');
  if (page !== null) {
    page.hidden = false;
    page.addEventListener('click', () => void copyText(page, () => fetchPage(page)));
  }
  for (const block of document.querySelectorAll<HTMLElement>('pre.code')) {
    const name = block.getAttribute('aria-label') ?? 'code';
    const button = makeButton('Copy', () => void copyText(button, () => block.textContent), {
      class: 'copy',
      'aria-label': `Copy ${name}`,
    });
    const frame = make('div', { class: 'code-frame' });
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

async function fetchPage({ dataset }: HTMLElement): Promise<string> {
  const response = await fetch(dataset['copyPage'] ?? '');
  // The first line names the source of the file for programs.
  return (await response.text()).replace(/^<!--.*-->\n/, '');
}

const SHOWN_MS = 1500;

/** Copies a text and shows the outcome on the button for a moment. */
export async function copyText(
  button: HTMLButtonElement,
  read: () => string | Promise<string>,
): Promise<void> {
  const label = (button.dataset['label'] ??= button.textContent);
  try {
    await navigator.clipboard.writeText(await read());
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Copy failed';
  }
  setTimeout(() => {
    button.textContent = label;
  }, SHOWN_MS);
}
