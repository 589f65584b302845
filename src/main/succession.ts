import { within } from '../time/within.ts';
import {
  closeGeneration,
  openGeneration,
  refuseUnfit,
  type Generation,
  type Lasting,
} from './generation.ts';
import { closeAll, type Listeners } from './listeners.ts';
import type { LoadedConfig } from './load-config.ts';

/** A configuration that is ready to be served. One of the two has to be called. */
export interface Successor {
  /** Serves it from now on. What was taken before is answered by what there was. */
  take(): void;
  /** Gives it up; nothing has changed. */
  discard(): Promise<void>;
}

/** The configuration that is served, and those before it whose calls are still being answered. */
export class Succession {
  readonly #lasting: Lasting;
  readonly #listeners: Listeners;
  readonly #retiring = new Set<Promise<void>>();
  #current: Generation;

  private constructor(first: Generation, lasting: Lasting, listeners: Listeners) {
    this.#current = first;
    this.#lasting = lasting;
    this.#listeners = listeners;
  }

  /** Opens the first one; throws StartError, with nothing left open, when that cannot be. */
  static async begin(
    loaded: LoadedConfig,
    lasting: Lasting,
    listeners: Listeners,
  ): Promise<Succession> {
    const first = await openGeneration(loaded, lasting);
    try {
      const opened = await listeners.open(first);
      await listeners.serve(first, opened, 0);
    } catch (error) {
      await closeGeneration(first);
      throw error;
    }
    return new Succession(first, lasting, listeners);
  }

  get current(): Generation {
    return this.#current;
  }

  /** Makes the next one ready beside the current one; throws StartError when it must not be. */
  async prepare(loaded: LoadedConfig): Promise<Successor> {
    const before = this.#current;
    const next = await openGeneration(loaded, this.#lasting, before);
    try {
      refuseUnfit(next, before);
      const opened = await this.#listeners.open(next);
      return {
        take: () => {
          this.#current = next;
          this.#retire(before, this.#listeners.serve(next, opened, before.limits.drain_ms));
        },
        discard: async () => {
          await closeAll(opened.values(), 0);
          await closeGeneration(next, { after: before });
        },
      };
    } catch (error) {
      await closeGeneration(next, { after: before });
      throw error;
    }
  }

  /** Closes the addresses once what was taken is answered, then everything behind them. */
  async end(): Promise<void> {
    const { clock } = this.#lasting;
    const ends_ms = clock.monotonic_ms() + this.#current.limits.drain_ms;
    await this.#listeners.close(this.#current.limits.drain_ms);
    await Promise.all(this.#retiring);
    // Calls whose callers have left hold it no longer than those that are waited for.
    const drain_ms = Math.max(0, ends_ms - clock.monotonic_ms());
    await closeGeneration(this.#current, { drain_ms });
  }

  /** Ends a generation when its calls are answered, at the latest after its time to drain. */
  #retire(generation: Generation, resting: Promise<void>): void {
    const next = this.#current;
    const retiring = within(generation.limits.drain_ms, resting)
      .catch(() => undefined)
      .then(() => closeGeneration(generation, { after: next }))
      .finally(() => this.#retiring.delete(retiring));
    this.#retiring.add(retiring);
  }
}
