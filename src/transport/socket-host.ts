import type { Site } from './site.ts';

/** Who serves the sockets of a network, and may be replaced meanwhile. */
export interface SocketHost {
  readonly site: Site;
  /** Keeps the site as it is for something under way, until `leave` is called. */
  enter(): { readonly site: Site; readonly leave: () => void };
}
