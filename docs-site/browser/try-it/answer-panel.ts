import { make, makeButton } from '../elements.ts';
import type { ShownAnswer } from './answer/show-answer.ts';

/** The buttons that send and cancel a call, and its response. */
export interface AnswerPanel {
  readonly sendButton: HTMLButtonElement;
  readonly cancelButton: HTMLButtonElement;
  readonly elements: readonly HTMLElement[];
  showSending(isSending: boolean): void;
  showError(text: string): void;
  showAnswer(method: string, shown: ShownAnswer): void;
  clearStatus(): void;
}

export function makeAnswerPanel(send: () => void, cancel: () => void): AnswerPanel {
  const status = make('p', { class: 'visually-hidden', role: 'status' });
  const answer = make('div', { class: 'ti-answer' });
  const sendButton = makeButton('Send', send, {
    class: 'ti-send',
    title: 'Ctrl+Enter or ⌘+Enter',
    'aria-keyshortcuts': 'Control+Enter Meta+Enter',
  });
  const cancelButton = makeButton('Cancel', cancel, { class: 'tool', hidden: true });
  const show = (...elements: readonly HTMLElement[]): void => {
    answer.replaceChildren(...elements);
    answer.scrollIntoView({ block: 'nearest' });
  };
  return {
    sendButton,
    cancelButton,
    elements: [status, answer],
    showSending(isSending) {
      // A hidden button loses the focus.
      if (!isSending && document.activeElement === cancelButton) sendButton.focus();
      sendButton.textContent = isSending ? 'Sending…' : 'Send';
      sendButton.setAttribute('aria-disabled', String(isSending));
      cancelButton.hidden = !isSending;
      answer.setAttribute('aria-busy', String(isSending));
      if (isSending) status.textContent = 'Sending';
    },
    showError: (text) => show(make('p', { class: 'ti-error', role: 'alert' }, text)),
    showAnswer(method, { elements, summary }) {
      show(...elements);
      status.textContent = `${method}: ${summary}`;
    },
    clearStatus() {
      status.textContent = '';
    },
  };
}
