import { listen, type Listener, type Serving } from '../transport/listen.ts';
import { trustRanges } from '../transport/host-router.ts';
import { addressesOf, type Address } from './addresses.ts';
import type { Generation } from './generation.ts';
import { explained } from './start-error.ts';

/** The addresses callers are served at; they stay open while what they serve is replaced. */
export class Listeners {
  readonly #portSetting: (network: string) => string;
  readonly #open = new Map<string, Listener>();

  constructor(portSetting: (network: string) => string) {
    this.#portSetting = portSetting;
  }

  /**
   * Opens the addresses of a generation that are not open yet. Throws StartError, with those it
   * opened closed again, when one cannot be had.
   */
  async open(generation: Generation): Promise<OpenedListeners> {
    const opened = new Map<string, Listener>();
    try {
      for (const address of addressesOf(generation.loaded.config)) {
        if (this.#open.has(address.key)) continue;
        opened.set(address.key, await this.#listen(address, servingAt(address, generation)));
      }
    } catch (error) {
      await closeAll(opened.values(), 0);
      throw error;
    }
    return opened;
  }

  /**
   * Serves a generation at all its addresses, at once, and leaves those it does not have. Resolves
   * when what was taken before is answered, or cut after `drain_ms`.
   */
  async serve(generation: Generation, opened: OpenedListeners, drain_ms: number): Promise<void> {
    const addresses = new Map(
      addressesOf(generation.loaded.config).map((address) => [address.key, address]),
    );
    const endings: Promise<void>[] = [];
    for (const [key, listener] of this.#open) {
      const address = addresses.get(key);
      if (address !== undefined) endings.push(listener.serve(servingAt(address, generation)));
      else {
        this.#open.delete(key);
        endings.push(listener.close(drain_ms));
      }
    }
    for (const [key, listener] of opened) this.#open.set(key, listener);
    await Promise.all(endings);
  }

  portOf({ key, port }: Pick<Address, 'key' | 'port'>): number {
    return this.#open.get(key)?.port ?? port;
  }

  /** Has open WebSockets look at their keys again. */
  recheckKeys(): void {
    for (const listener of this.#open.values()) listener.recheckKeys();
  }

  async close(limit_ms: number): Promise<void> {
    await closeAll(this.#open.values(), limit_ms);
  }

  #listen({ host, port, networks }: Address, serving: Serving): Promise<Listener> {
    const setting = this.#portSetting(networks[0]!.name);
    return explained(listen(serving, { host, port }), { host, port, setting });
  }
}

export type OpenedListeners = ReadonlyMap<string, Listener>;

export async function closeAll(listeners: Iterable<Listener>, limit_ms: number): Promise<void> {
  await Promise.all([...listeners].map((listener) => listener.close(limit_ms)));
}

function servingAt({ networks }: Address, { loaded, networks: served }: Generation): Serving {
  const sites = networks.map(({ name, hostNames = [] }) => ({
    name,
    hostNames,
    service: served.get(name)!.site,
  }));
  const [first, ...others] = networks.flatMap(({ name, hostNames = [] }) => {
    const pair = loaded.keyPairs[name];
    return pair === undefined ? [] : [{ ...pair, hostNames }];
  });
  return {
    networks: sites,
    isTrusted: trustRanges(loaded.config.trustedProxies),
    certificates: first === undefined ? undefined : [first, ...others],
  };
}
