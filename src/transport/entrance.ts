import type { Site } from './site.ts';
import { createSocketHub, type SocketHub } from './socket-hub.ts';
import { Turns } from './turns.ts';

/**
 * A network at one address. The site that serves it may be replaced while connections stay: what
 * comes in afterwards goes to the new one, what came before is answered by the one it came to.
 */
export class Entrance {
  readonly hub: SocketHub;
  #turns: Turns<Site>;

  constructor(site: Site) {
    this.#turns = new Turns(site);
    this.hub = createSocketHub(this);
  }

  get site(): Site {
    return this.#turns.value;
  }

  /** Keeps the site as it is for something under way, until the function given back is called. */
  enter(): { readonly site: Site; readonly leave: () => void } {
    const turns = this.#turns;
    return { site: turns.value, leave: turns.begin() };
  }

  /** Resolves when nothing is under way at the site there was. */
  replace(site: Site): Promise<void> {
    const before = this.#turns;
    this.#turns = new Turns(site);
    this.hub.refresh();
    return before.end();
  }

  /** Takes nothing more; resolves when what was taken is answered and its WebSockets are closed. */
  async close(): Promise<void> {
    await Promise.all([this.hub.drain(), this.#turns.end()]);
  }
}
