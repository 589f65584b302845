import type { NetworkConfig } from '../config/schema.ts';
import { listen, type Listener, type Serving } from '../transport/listen.ts';
import { keyOf, type Address } from './addresses.ts';
import { explainListenError } from './start-error.ts';

export type ServedAddress = Address & { readonly serving: Serving };

type NewListeners = ReadonlyMap<string, Listener>;

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
  async open(addresses: readonly ServedAddress[]): Promise<NewListeners> {
    const opened = new Map<string, Listener>();
    try {
      for (const { key, host, port, networks, serving } of addresses) {
        if (this.#open.has(key)) continue;
        const listening = listen(serving, { host, port });
        const setting = this.#portSetting(networks[0]!.name);
        opened.set(key, await explainListenError(listening, { host, port, setting }));
      }
    } catch (error) {
      await closeListeners(opened.values(), 0);
      throw error;
    }
    return opened;
  }

  /**
   * Switches to the addresses of a configuration at once, and closes the others. Resolves
   * when calls accepted before have completed; closed addresses cut theirs after `drain_ms`.
   */
  async serve(
    addresses: readonly ServedAddress[],
    opened: NewListeners,
    drain_ms: number,
  ): Promise<void> {
    const servings = new Map(addresses.map(({ key, serving }) => [key, serving]));
    const draining: Promise<void>[] = [];
    for (const [key, listener] of this.#open) {
      const serving = servings.get(key);
      if (serving !== undefined) draining.push(listener.serve(serving));
      else {
        this.#open.delete(key);
        draining.push(listener.close(drain_ms));
      }
    }
    for (const [key, listener] of opened) this.#open.set(key, listener);
    await Promise.all(draining);
  }

  /** Returns the port that a network is served on, even if its configuration says 0. */
  portOf(network: NetworkConfig): number {
    return this.#open.get(keyOf(network))?.port ?? network.listen.port;
  }

  /** Rechecks the keys of open WebSockets. */
  recheckKeys(): void {
    for (const listener of this.#open.values()) listener.recheckKeys();
  }

  /** Resolves to the number of calls that were cut because they took longer than `drain_ms`. */
  async close(drain_ms: number): Promise<number> {
    const listeners = [...this.#open.values()];
    await closeListeners(listeners, drain_ms);
    return listeners.reduce((sum, { cutCalls }) => sum + cutCalls, 0);
  }
}

export async function closeListeners(
  listeners: Iterable<Listener>,
  drain_ms: number,
): Promise<void> {
  await Promise.all([...listeners].map((listener) => listener.close(drain_ms)));
}
