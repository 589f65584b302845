/** Copies, and says so on the button for a moment. */
export async function copyText(button: HTMLButtonElement, text: string): Promise<void> {
  const label = button.dataset['label'] ?? button.textContent;
  button.dataset['label'] = label;
  const done = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Not allowed',
  );
  button.textContent = done;
  setTimeout(() => {
    button.textContent = label;
  }, 1500);
}
