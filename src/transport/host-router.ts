import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { NetworkEndpoint } from './network-endpoint.ts';
import type { NetworkService } from './network-service.ts';

/** A network served at an address. */
export interface ServedNetwork {
  readonly name: string;
  readonly service: NetworkService;
  /** Host names of the network, in lower case; empty: any host. */
  readonly hostNames: readonly string[];
}

/** Whether the X-Forwarded-Host header of a peer is trusted. */
export type IsTrusted = (address: string | undefined) => boolean;

/** Routes requests at an address to their network by host. */
export class HostRouter {
  #endpoints: ReadonlyMap<string, NetworkEndpoint> = new Map();
  #byHostName = new Map<string, NetworkEndpoint>();
  #fallback: NetworkEndpoint | undefined;
  #isTrusted: IsTrusted;

  constructor(networks: readonly ServedNetwork[], isTrusted: IsTrusted) {
    this.#isTrusted = isTrusted;
    this.#assign(networks);
  }

  /** The first network; its service answers requests that match no network. */
  get first(): NetworkEndpoint {
    return this.#endpoints.values().next().value!;
  }

  get endpoints(): readonly NetworkEndpoint[] {
    return [...this.#endpoints.values()];
  }

  /** Returns the network a request is for; undefined when its host is unknown. */
  find(request: IncomingMessage): NetworkEndpoint | undefined {
    if (this.#byHostName.size === 0) return this.#fallback;
    return this.#byHostName.get(this.hostOf(request)) ?? this.#fallback;
  }

  /** Returns the host a request names, without a port, in lower case. */
  hostOf({ headers, socket, url = '' }: IncomingMessage): string {
    const forwarded = headers['x-forwarded-host'];
    // An absolute target takes precedence over the header (RFC 9112, section 3.2.2).
    const host = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host;
    const isForwarded = typeof forwarded === 'string' && this.#isTrusted(socket.remoteAddress);
    // Proxies append to the header: only the last name is certain to come from the trusted proxy.
    const named = isForwarded ? forwarded.slice(forwarded.lastIndexOf(',') + 1) : host;
    return (named ?? '').trim().toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
  }

  /**
   * Replaces the networks at once; a network of the same name keeps its connections. Resolves when the
   * old services have answered what they accepted.
   */
  async replace(networks: readonly ServedNetwork[], isTrusted: IsTrusted): Promise<void> {
    this.#isTrusted = isTrusted;
    await Promise.all(this.#assign(networks));
  }

  /**
   * Assigns the networks synchronously; the returned promises resolve when the old services have finished.
   */
  #assign(networks: readonly ServedNetwork[]): readonly Promise<void>[] {
    const unused = new Map(this.#endpoints);
    const endpoints = new Map<string, NetworkEndpoint>();
    const draining: Promise<void>[] = [];
    this.#byHostName = new Map();
    this.#fallback = undefined;
    for (const { name, service, hostNames } of networks) {
      const kept = unused.get(name);
      if (kept !== undefined) draining.push(kept.replace(service));
      unused.delete(name);
      const endpoint = kept ?? new NetworkEndpoint(service);
      endpoints.set(name, endpoint);
      for (const hostName of hostNames) this.#byHostName.set(hostName, endpoint);
      if (hostNames.length === 0) this.#fallback = endpoint;
    }
    this.#endpoints = endpoints;
    return [...draining, ...[...unused.values()].map((endpoint) => endpoint.close())];
  }
}

/** Trusts peers in `ranges`: addresses, or CIDR ranges such as `10.0.0.0/8`. */
export function trustRanges(ranges: readonly string[]): IsTrusted {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    if (address === undefined) return false;
    // IPv4 peers of a socket that listens on IPv4 and IPv6.
    const mapped = /^::ffff:([\d.]+)$/.exec(address)?.[1];
    if (mapped !== undefined) return list.check(mapped, 'ipv4');
    return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}

/**
 * Counts the connections of each network: when they open if there is one network, otherwise from the
 * first request on, which names the network.
 */
export function countConnections(router: HostRouter): {
  onConnection(socket: Socket): void;
  onRequest(request: IncomingMessage): void;
} {
  const counted = new WeakSet<Socket>();
  const count = (socket: Socket, { observer }: NetworkService): void => {
    counted.add(socket);
    observer.onConnection('http', 1);
    socket.on('close', () => observer.onConnection('http', -1));
  };
  return {
    onConnection(socket) {
      if (router.endpoints.length === 1) count(socket, router.first.service);
    },
    onRequest(request) {
      if (counted.has(request.socket)) return;
      const endpoint = router.find(request);
      if (endpoint !== undefined) count(request.socket, endpoint.service);
    },
  };
}
