import { make, makeButton } from '../elements.ts';
import { tabMemory } from '../storage.ts';
import { fragmentOf, readFragment, type SharedCall } from './share.ts';

/** A call made in this tab, without its key. */
interface PastCall {
  readonly path: string;
  readonly method: string;
  /** The fragment of a link to the call. */
  readonly fragment: string;
  readonly outcome: string;
  /** "10:51:02" */
  readonly time: string;
}

const NAME = 'docs-try-it-calls';
const MAX_CALLS = 20;

/** Larger calls would fill the storage. */
const MAX_FRAGMENT_CHARACTERS = 64 * 1024;

export interface History {
  readonly element: HTMLElement;
  add(call: SharedCall, outcome: string): void;
}

/** Lists the recent calls of this tab, newest first; a click restores one. */
export function makeHistory(method: string, restore: (call: SharedCall) => void): History {
  const list = make('ol', { class: 'ti-calls' });
  const element = make(
    'details',
    { class: 'ti-history', hidden: true },
    make('summary', {}, 'Recent calls in this tab'),
    list,
  );
  const draw = (calls: readonly PastCall[]): void => {
    element.hidden = calls.length === 0;
    list.replaceChildren(...calls.map((call) => make('li', {}, entryOf(call))));
  };
  const entryOf = ({ path, method: name, fragment, outcome, time }: PastCall): HTMLElement => {
    const call = readFragment(fragment);
    const transport = call?.transport === 'websocket' ? 'WebSocket' : 'HTTP';
    const text = `${time} ${name} · ${call?.network ?? ''} · ${transport} · ${outcome}`;
    if (name !== method || path !== location.pathname) {
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
      if (fragment.length > MAX_FRAGMENT_CHARACTERS) return;
      const time = new Date().toTimeString().slice(0, 8);
      const entry = { path: location.pathname, method, fragment, outcome, time };
      const calls = [entry, ...readCalls()].slice(0, MAX_CALLS);
      tabMemory.write(NAME, JSON.stringify(calls));
      draw(calls);
    },
  };
}

function readCalls(): readonly PastCall[] {
  try {
    const calls: unknown = JSON.parse(tabMemory.read(NAME) || '[]');
    return Array.isArray(calls) ? (calls as PastCall[]).slice(0, MAX_CALLS) : [];
  } catch {
    return [];
  }
}
