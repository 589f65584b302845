import type { NetworkService, ServiceHolder } from './network-service.ts';
import { SocketHub } from './socket-hub.ts';

/** Counts the uses of a value, which shows when a replaced value is unused. */
export class RefCount<T> {
  readonly value: T;
  #uses = 0;
  #isRetired = false;
  readonly #unused = Promise.withResolvers<void>();

  constructor(value: T) {
    this.value = value;
  }

  /** Starts a use. The returned function ends it; calling that twice has no further effect. */
  acquire(): () => void {
    this.#uses += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#uses -= 1;
      if (this.#isRetired && this.#uses === 0) this.#unused.resolve();
    };
  }

  /** Resolves when the last use has ended. No use may start after this. */
  retire(): Promise<void> {
    this.#isRetired = true;
    if (this.#uses === 0) this.#unused.resolve();
    return this.#unused.promise;
  }
}

/**
 * A network at one address. Its service may be replaced while connections stay open: new requests go
 * to the new service, and the old one answers those it has accepted.
 */
export class NetworkEndpoint implements ServiceHolder {
  readonly hub: SocketHub;
  #current: RefCount<NetworkService>;

  constructor(service: NetworkService) {
    this.#current = new RefCount(service);
    this.hub = new SocketHub(this);
  }

  get service(): NetworkService {
    return this.#current.value;
  }

  acquire(): { readonly service: NetworkService; readonly release: () => void } {
    return { service: this.service, release: this.#current.acquire() };
  }

  /** Replaces the service at once. Resolves when the old one is no longer in use. */
  replace(service: NetworkService): Promise<void> {
    const old = this.#current;
    this.#current = new RefCount(service);
    this.hub.refresh();
    return old.retire();
  }

  /** Resolves when accepted requests are answered and WebSockets are closed. */
  async close(): Promise<void> {
    await Promise.all([this.hub.drain(), this.#current.retire()]);
  }
}
