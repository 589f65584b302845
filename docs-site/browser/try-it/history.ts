import { make, makeButton } from './elements.ts';
import { fragmentOf, readFragment, type SharedCall } from './share.ts';
import { keepInTab, readTabMemory } from './tab-memory.ts';

/** A call of this tab, without its key. */
interface PastCall {
  readonly path: string;
  readonly method: string;
  /** As in a link: what it takes to make it again. */
  readonly fragment: string;
  readonly outcome: string;
  /** "10:51:02" */
  readonly time: string;
}

const NAME = 'docs-try-it-calls';
const MAX_CALLS = 20;

/** Larger calls would fill the storage. */
const MAX_FRAGMENT_CHARS = 64 * 1024;

/** The last calls of this tab, newest first; each can be taken up again. */
export function makeHistory(
  method: string,
  restore: (call: SharedCall) => void,
): { readonly element: HTMLElement; add(call: SharedCall, outcome: string): void } {
  const list = make('ol', { class: 'ti-calls' });
  const element = make(
    'details',
    { class: 'ti-history', hidden: true },
    make('summary', {}, 'Last calls in this tab'),
    list,
  );
  const draw = (calls: readonly PastCall[]): void => {
    element.hidden = calls.length === 0;
    list.replaceChildren(...calls.map((call) => make('li', {}, entryOf(call))));
  };
  const entryOf = ({ path, method: of, fragment, outcome, time }: PastCall): HTMLElement => {
    const call = readFragment(fragment);
    const text = `${time} ${of} · ${call?.network ?? ''} · ${call?.transport === 'websocket' ? 'WebSocket' : 'HTTP'} · ${outcome}`;
    if (of !== method || path !== location.pathname) {
      return make('a', { href: path + fragment }, text);
    }
    return makeButton(text, () => (call === null ? undefined : restore(call)), {
      'aria-label': `Restore ${text}`,
    });
  };
  draw(readCalls());
  return {
    element,
    add: (call, outcome) => {
      const fragment = fragmentOf(call);
      if (fragment.length > MAX_FRAGMENT_CHARS) return;
      const time = new Date().toTimeString().slice(0, 8);
      const entry = { path: location.pathname, method, fragment, outcome, time };
      const calls = [entry, ...readCalls()].slice(0, MAX_CALLS);
      keepInTab(NAME, JSON.stringify(calls));
      draw(calls);
    },
  };
}

function readCalls(): readonly PastCall[] {
  try {
    const kept: unknown = JSON.parse(readTabMemory(NAME) || '[]');
    return Array.isArray(kept) ? (kept as PastCall[]).slice(0, MAX_CALLS) : [];
  } catch {
    return [];
  }
}
