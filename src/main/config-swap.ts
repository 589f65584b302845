import { within } from '../time/within.ts';
import { closeListeners, type Listeners } from './listeners.ts';
import type { LoadedConfig } from './load-config.ts';
import type { SharedDependencies } from './network-service.ts';
import {
  checkReplacement,
  closeRuntimeConfig,
  openRuntimeConfig,
  type RuntimeConfig,
} from './runtime-config.ts';

/** A configuration that is open, but not served yet. The owner calls one of the two. */
export interface PreparedConfig {
  /** Serves it from now on; calls in flight end on the previous configuration. */
  activate(): void;
  /** Closes it; the current configuration stays. */
  discard(): Promise<void>;
}

/** Holds the current configuration and replaces it without dropping a connection. */
export class ConfigSwap {
  readonly #shared: SharedDependencies;
  readonly #listeners: Listeners;
  /** Replaced configurations that still answer calls. */
  readonly #draining = new Set<Promise<void>>();
  #current: RuntimeConfig;

  private constructor(first: RuntimeConfig, shared: SharedDependencies, listeners: Listeners) {
    this.#current = first;
    this.#shared = shared;
    this.#listeners = listeners;
  }

  /**
   * Opens and serves the first configuration.
   * @throws StartError, with nothing left open, if an address cannot be listened on
   */
  static async start(
    loaded: LoadedConfig,
    shared: SharedDependencies,
    listeners: Listeners,
  ): Promise<ConfigSwap> {
    const first = await openRuntimeConfig(loaded, shared);
    try {
      await listeners.serve(first.addresses, await listeners.open(first.addresses), 0);
    } catch (error) {
      await closeRuntimeConfig(first);
      throw error;
    }
    return new ConfigSwap(first, shared, listeners);
  }

  get current(): RuntimeConfig {
    return this.#current;
  }

  /**
   * Opens another configuration beside the current one.
   * @throws StartError, with nothing new left open, if it cannot replace the current one
   */
  async prepare(loaded: LoadedConfig): Promise<PreparedConfig> {
    const previous = this.#current;
    const next = await openRuntimeConfig(loaded, this.#shared, previous);
    const close = (): Promise<void> => closeRuntimeConfig(next, { replacement: previous });
    try {
      checkReplacement(next, previous);
      const opened = await this.#listeners.open(next.addresses);
      return {
        activate: () => {
          this.#current = next;
          const { drain_ms } = previous.limits;
          this.#drain(previous, this.#listeners.serve(next.addresses, opened, drain_ms));
        },
        discard: async () => {
          await closeListeners(opened.values(), 0);
          await close();
        },
      };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Closes the addresses once accepted calls are answered, then the networks. */
  async stop(): Promise<void> {
    const { clock } = this.#shared;
    const { drain_ms } = this.#current.limits;
    const deadline_ms = clock.monotonic_ms() + drain_ms;
    await this.#listeners.close(drain_ms);
    await Promise.all(this.#draining);
    // Calls whose callers have left share the deadline of the others.
    const left_ms = Math.max(0, deadline_ms - clock.monotonic_ms());
    await closeRuntimeConfig(this.#current, { drain_ms: left_ms });
  }

  /** Closes a replaced configuration once its calls are answered, at the latest after its drain time. */
  #drain(replaced: RuntimeConfig, answered: Promise<void>): void {
    const replacement = this.#current;
    const draining = within(replaced.limits.drain_ms, answered)
      .catch(() => undefined)
      .then(() => closeRuntimeConfig(replaced, { replacement }))
      .finally(() => this.#draining.delete(draining));
    this.#draining.add(draining);
  }
}
