import type { SampleNetwork } from '../../../common/samples/sample.ts';
import { make, makeField, newId } from '../elements.ts';
import type { SiteConfig, SiteNetwork } from '../site-files.ts';
import { tabMemory } from '../storage.ts';
import type { MethodData } from './method-data.ts';
import { makeOwnAddress } from './own-address.ts';
import { addressWith, takesKey } from './send/addresses.ts';
import type { Transport } from './send/send.ts';

const KEY = 'docs-try-it-key';

const TITLES: Readonly<Record<Transport, string>> = { http: 'HTTP', websocket: 'WebSocket' };

interface Addresses {
  readonly http: string | null;
  readonly ws: string | null;
}

/** The network, transport and key of a call. */
export interface Connection {
  readonly element: HTMLElement;
  network(): string;
  transport(): Transport;
  /** Returns the addresses to call, with the reader's key. */
  addresses(): Addresses;
  /** Returns the network for samples, with the public key or a placeholder, never the reader's key. */
  shown(): SampleNetwork | null;
  choose(choice: { network?: string | null; transport?: Transport }): void;
}

export function makeConnection(
  config: SiteConfig,
  { family, transports }: Pick<MethodData, 'family' | 'transports'>,
  changed: () => void,
): Connection {
  const matching = config.networks.filter((each) => family === null || each.family === family);
  const networks = matching.length === 0 ? config.networks : matching;
  const select = make(
    'select',
    { id: newId(), onchange: () => update() },
    ...networks.map(({ name }) => make('option', { value: name }, name)),
  );
  const radios = makeRadios(transports, changed);
  const key = makeKeyField(config.key, changed);
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
    key.element.hidden = network === undefined || !takesKey(network, config);
    changed();
  };
  const addressesWith = (value: string | null): Addresses => {
    const keys = { key: value, publicKey: config.key };
    const network = chosen();
    return {
      http: addressWith(network?.http ?? null, keys),
      ws: addressWith(network?.ws ?? null, keys),
    };
  };
  const transportField = make(
    'fieldset',
    // The scheme of the reader's own address determines the transport.
    { class: 'ti-field ti-transport', hidden: own !== null },
    make('legend', { class: 'ti-label' }, 'Transport'),
    ...radios.map((radio) =>
      make('label', {}, radio, make('span', {}, TITLES[radio.value as Transport])),
    ),
  );
  return {
    element: make(
      'div',
      { class: 'ti-connection' },
      own?.element ?? makeField('Network', select),
      transportField,
      key.element,
    ),
    network: () => select.value,
    transport: () => (radios.find(({ checked }) => checked)?.value ?? 'http') as Transport,
    addresses: () => addressesWith(key.value() || config.key),
    shown: () => {
      const name = chosen()?.name;
      if (name === undefined || own !== null) return null;
      return { name, ...addressesWith(key.value() === '' ? config.key : null) };
    },
    choose: ({ network, transport }) => {
      if (networks.some(({ name }) => name === network)) select.value = network!;
      for (const radio of radios) if (radio.value === transport) radio.checked = true;
      update();
    },
  };
}

function makeRadios(
  transports: MethodData['transports'],
  onchange: () => void,
): readonly HTMLInputElement[] {
  const name = newId();
  return (['http', 'websocket'] as const)
    .filter((each) => transports.length === 0 || transports.includes(each))
    .map((value) => make('input', { type: 'radio', name, value, onchange }));
}

function makeKeyField(
  publicKey: string | null,
  changed: () => void,
): { readonly element: HTMLElement; value(): string } {
  const hint = newId();
  const input = make('input', {
    // Not a password field, since browsers offer to save those.
    type: 'text',
    class: 'ti-secret',
    autocapitalize: 'none',
    id: newId(),
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': hint,
    placeholder: publicKey === null ? '' : `${publicKey} (public)`,
    oninput: () => {
      tabMemory.write(KEY, input.value.trim());
      changed();
    },
  });
  input.value = tabMemory.read(KEY);
  const text = 'Kept in this tab only, never included in links, samples or history.';
  const element = makeField('API key', input, {
    hint: make('p', { class: 'ti-hint', id: hint }, text),
  });
  return { element, value: () => input.value.trim() };
}
