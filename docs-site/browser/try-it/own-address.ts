import type { SiteNetwork } from '../site-config.ts';
import { make, newId } from './elements.ts';
import { keepInTab, readTabMemory } from './tab-memory.ts';

const ADDRESS = 'docs-try-it-address';

/** Where calls go when the document names no server: what the reader types. */
export interface OwnAddress {
  readonly element: HTMLElement;
  /** undefined: no address yet, or none that can be called. */
  network(): SiteNetwork | undefined;
}

export function makeOwnAddress(changed: () => void): OwnAddress {
  const hint = newId();
  const input = make('input', {
    type: 'url',
    id: newId(),
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'https://rpc.example.com/',
    'aria-describedby': hint,
    oninput: () => {
      keepInTab(ADDRESS, input.value.trim());
      changed();
    },
  });
  input.value = readTabMemory(ADDRESS);
  return {
    element: make(
      'div',
      { class: 'ti-field ti-wide' },
      make('label', { for: input.id, class: 'ti-label' }, 'Address'),
      input,
      make(
        'p',
        { class: 'ti-hint', id: hint },
        'Of a service with these methods: http, https, ws or wss. Kept in this tab only; in no link, sample or history.',
      ),
    ),
    network: () => {
      const url = input.value.trim();
      if (!URL.canParse(url)) return undefined;
      const isHttp = /^https?:/i.test(url);
      if (!isHttp && !/^wss?:/i.test(url)) return undefined;
      return { name: '', family: null, http: isHttp ? url : null, ws: isHttp ? null : url };
    },
  };
}
