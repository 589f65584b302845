import type { NetworkConfig } from '../config/schema.ts';
import { listen, type Listener, type Serving } from '../transport/listen.ts';
import { trustRanges } from '../transport/host-router.ts';
import { addressesOf, keyOf, type Address } from './addresses.ts';
import type { RuntimeConfig } from './runtime-config.ts';
import { explainListenError } from './start-error.ts';

export type NewListeners = ReadonlyMap<string, Listener>;

/** The open addresses. They stay open while the configuration behind them is replaced. */
export class Listeners {
  readonly #portSetting: (network: string) => string;
  readonly #open = new Map<string, Listener>();

  constructor(portSetting: (network: string) => string) {
    this.#portSetting = portSetting;
  }

  /**
   * Opens the addresses of a configuration that are not open yet.
   * @throws StartError, with nothing new left open, if one cannot be listened on
   */
  async open(runtime: RuntimeConfig): Promise<NewListeners> {
    const opened = new Map<string, Listener>();
    try {
      for (const address of addressesOf(runtime.loaded.config)) {
        if (this.#open.has(address.key)) continue;
        const { host, port, networks } = address;
        const listening = listen(servingAt(address, runtime), { host, port });
        const setting = this.#portSetting(networks[0]!.name);
        opened.set(address.key, await explainListenError(listening, { host, port, setting }));
      }
    } catch (error) {
      await closeListeners(opened.values(), 0);
      throw error;
    }
    return opened;
  }

  /**
   * Switches all addresses to a configuration at once, and closes those it does not have. Resolves
   * when calls accepted before are answered; closed addresses cut theirs after `drain_ms`.
   */
  async serve(runtime: RuntimeConfig, opened: NewListeners, drain_ms: number): Promise<void> {
    const addresses = addressesOf(runtime.loaded.config);
    const byKey = new Map(addresses.map((address) => [address.key, address]));
    const draining: Promise<void>[] = [];
    for (const [key, listener] of this.#open) {
      const address = byKey.get(key);
      if (address !== undefined) draining.push(listener.serve(servingAt(address, runtime)));
      else {
        this.#open.delete(key);
        draining.push(listener.close(drain_ms));
      }
    }
    for (const [key, listener] of opened) this.#open.set(key, listener);
    await Promise.all(draining);
  }

  /** Returns the port that a network is served on, also where its configuration says 0. */
  portOf(network: NetworkConfig): number {
    return this.#open.get(keyOf(network))?.port ?? network.listen.port;
  }

  /** Rechecks the keys of open WebSockets. */
  recheckKeys(): void {
    for (const listener of this.#open.values()) listener.recheckKeys();
  }

  async close(drain_ms: number): Promise<void> {
    await closeListeners(this.#open.values(), drain_ms);
  }
}

export async function closeListeners(
  listeners: Iterable<Listener>,
  drain_ms: number,
): Promise<void> {
  await Promise.all([...listeners].map((listener) => listener.close(drain_ms)));
}

function servingAt({ networks }: Address, { loaded, networks: services }: RuntimeConfig): Serving {
  const served = networks.map(({ name, hostNames = [] }) => ({
    name,
    hostNames,
    service: services.get(name)!.service,
  }));
  const [first, ...others] = networks.flatMap(({ name, hostNames = [] }) => {
    const pair = loaded.keyPairs[name];
    return pair === undefined ? [] : [{ ...pair, hostNames }];
  });
  return {
    networks: served,
    isTrusted: trustRanges(loaded.config.trustedProxies),
    certificates: first === undefined ? undefined : [first, ...others],
  };
}
