import { make, makeField, newId } from '../elements.ts';
import type { SiteNetwork } from '../site-files.ts';
import { tabMemory } from '../storage.ts';

const ADDRESS = 'docs-try-it-address';

/** The address that the reader enters when the document names no server. */
export interface OwnAddress {
  readonly element: HTMLElement;
  /** Returns undefined without a valid address. */
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
      tabMemory.write(ADDRESS, input.value.trim());
      changed();
    },
  });
  input.value = tabMemory.read(ADDRESS);
  return {
    element: makeField('Address', input, {
      kind: ' ti-wide',
      hint: make(
        'p',
        { class: 'ti-hint', id: hint },
        'URL of a service with these methods (http, https, ws or wss). Kept in this tab only, never included in links, samples or history.',
      ),
    }),
    network: () => {
      const url = input.value.trim();
      if (!URL.canParse(url)) return undefined;
      const isHttp = /^https?:/i.test(url);
      if (!isHttp && !/^wss?:/i.test(url)) return undefined;
      return { name: '', family: null, http: isHttp ? url : null, ws: isHttp ? null : url };
    },
  };
}
