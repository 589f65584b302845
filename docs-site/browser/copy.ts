/** The button that copies the page as Markdown, and one on each block of code. */
export function startCopying(): void {
  const page = document.querySelector<HTMLButtonElement>('[data-copy-page]');
  if (page !== null) {
    page.hidden = false;
    page.addEventListener('click', () => {
      void copy(page, async () => {
        const response = await fetch(page.dataset['copyPage'] ?? '');
        // The first line tells programs where the file comes from.
        return (await response.text()).replace(/^<!--.*-->\n/, '');
      });
    });
  }
  for (const block of document.querySelectorAll<HTMLElement>('pre.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy ${block.getAttribute('aria-label') ?? 'code'}`);
    button.addEventListener('click', () => {
      void copy(button, () => Promise.resolve(block.textContent));
    });
    const frame = document.createElement('div');
    frame.className = 'code-frame';
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

const SHOWN_MS = 1500;

async function copy(button: HTMLButtonElement, read: () => Promise<string>): Promise<void> {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(await read());
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed';
  }
  setTimeout(() => {
    button.textContent = label;
  }, SHOWN_MS);
}
