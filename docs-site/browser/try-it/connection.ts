import type { SampleNetwork } from '../../samples/sample.ts';
import type { SiteConfig, SiteNetwork } from '../site-config.ts';
import { make, newId } from './elements.ts';
import type { MethodData } from './method-data.ts';
import { makeOwnAddress } from './own-address.ts';
import { addressWith, takesKey } from './send/addresses.ts';
import type { Transport } from './send/send.ts';
import { keepInTab, readTabMemory } from './tab-memory.ts';

const KEY = 'docs-try-it-key';

const TITLES: Readonly<Record<Transport, string>> = { http: 'HTTP', websocket: 'WebSocket' };

/** Where a call goes: network, transport, key. */
export interface Connection {
  readonly element: HTMLElement;
  network(): string;
  transport(): Transport;
  /** With the reader's key, to be called. */
  addresses(): { readonly http: string | null; readonly ws: string | null };
  /** With the public key or a place for one, to be shown: never with the reader's own. */
  shown(): SampleNetwork | null;
  choose(choice: { network?: string | null; transport?: Transport }): void;
}

export function makeConnection(
  config: SiteConfig,
  { family, transports }: Pick<MethodData, 'family' | 'transports'>,
  changed: () => void,
): Connection {
  const fitting = config.networks.filter((each) => family === null || each.family === family);
  const networks = fitting.length === 0 ? config.networks : fitting;
  const select = make(
    'select',
    { id: newId(), onchange: () => update() },
    ...networks.map(({ name }) => make('option', { value: name }, name)),
  );
  const group = newId();
  const radios = (['http', 'websocket'] as const)
    .filter((each) => transports.length === 0 || transports.includes(each))
    .map((value) =>
      make('input', { type: 'radio', name: group, value, onchange: () => changed() }),
    );
  const key = make('input', {
    // Not a password field: browsers offer to keep those.
    type: 'text',
    class: 'ti-secret',
    autocapitalize: 'none',
    id: newId(),
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': `${group}-key`,
    placeholder: config.key === null ? '' : `${config.key} (for everyone)`,
    oninput: () => {
      keepInTab(KEY, key.value.trim());
      changed();
    },
  });
  key.value = readTabMemory(KEY);
  const keyPlace = make(
    'div',
    { class: 'ti-field' },
    make('label', { for: key.id, class: 'ti-label' }, 'API key'),
    key,
    make(
      'p',
      { class: 'ti-hint', id: `${group}-key` },
      'Kept in this tab only; in no link, sample or history.',
    ),
  );
  // A document need not name a server.
  const own = networks.length === 0 ? makeOwnAddress(() => update()) : null;
  const chosen = (): SiteNetwork | undefined =>
    own === null ? networks.find(({ name }) => name === select.value) : own.network();
  const update = (): void => {
    const network = chosen();
    const has = { http: network?.http ?? null, websocket: network?.ws ?? null };
    for (const radio of radios) radio.disabled = has[radio.value as Transport] === null;
    const current = radios.find(({ checked, disabled }) => checked && !disabled);
    const first = current ?? radios.find(({ disabled }) => !disabled);
    if (first !== undefined) first.checked = true;
    keyPlace.hidden = network === undefined || !takesKey(network, config);
    changed();
  };
  const addressesWith = (key: string | null) => {
    const keys = { key, publicKey: config.key };
    const network = chosen();
    return {
      http: addressWith(network?.http ?? null, keys),
      ws: addressWith(network?.ws ?? null, keys),
    };
  };
  const element = make(
    'div',
    { class: 'ti-connection' },
    own?.element ??
      make(
        'div',
        { class: 'ti-field' },
        make('label', { for: select.id, class: 'ti-label' }, 'Network'),
        select,
      ),
    make(
      'fieldset',
      // What the reader types says it by its scheme.
      { class: 'ti-field ti-transport', hidden: own !== null },
      make('legend', { class: 'ti-label' }, 'Transport'),
      ...radios.map((radio) =>
        make('label', {}, radio, make('span', {}, TITLES[radio.value as Transport])),
      ),
    ),
    keyPlace,
  );
  return {
    element,
    network: () => select.value,
    transport: () => (radios.find(({ checked }) => checked)?.value ?? 'http') as Transport,
    addresses: () => addressesWith(key.value.trim() || config.key),
    shown: () => {
      const name = chosen()?.name;
      if (name === undefined || own !== null) return null;
      return { name, ...addressesWith(key.value.trim() === '' ? config.key : null) };
    },
    choose: ({ network, transport }) => {
      if (networks.some(({ name }) => name === network)) select.value = network!;
      for (const radio of radios) if (radio.value === transport) radio.checked = true;
      update();
    },
  };
}
