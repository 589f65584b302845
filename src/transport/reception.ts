import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { Entrance } from './entrance.ts';
import type { Site } from './site.ts';

/** A network as it is served at an address. */
export interface SiteAt {
  readonly name: string;
  readonly site: Site;
  /** Names it is reached by, in lower case; none: by any. */
  readonly hostNames: readonly string[];
}

/** Whether a peer's word on the host that was asked for is taken. */
export type IsTrusted = (address: string | undefined) => boolean;

/** Leads what comes in at an address to its network. */
export class Reception {
  #entrances = new Map<string, Entrance>();
  #byHostName = new Map<string, Entrance>();
  #fallback: Entrance | undefined;
  #isTrusted: IsTrusted;

  constructor(sites: readonly SiteAt[], isTrusted: IsTrusted) {
    this.#isTrusted = isTrusted;
    void this.assign(sites, isTrusted);
  }

  /** At least one; speaks for the address when no network is named. */
  get speaker(): Entrance {
    return this.#entrances.values().next().value!;
  }

  get entrances(): readonly Entrance[] {
    return [...this.#entrances.values()];
  }

  /** The network a request is for; undefined when its host is none of theirs. */
  find(request: IncomingMessage): Entrance | undefined {
    if (this.#byHostName.size === 0) return this.#fallback;
    return this.#byHostName.get(this.hostOf(request)) ?? this.#fallback;
  }

  /** The host a request names, without a port, in lower case. */
  hostOf({ headers, socket, url = '' }: IncomingMessage): string {
    const forwarded = headers['x-forwarded-host'];
    // A whole address as the target outweighs the header (RFC 9112, section 3.2.2).
    const host = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host;
    const isForwarded = typeof forwarded === 'string' && this.#isTrusted(socket.remoteAddress);
    // Each proxy adds to the end: only the last name is surely from the one that is trusted.
    const named = isForwarded ? forwarded.slice(forwarded.lastIndexOf(',') + 1) : host;
    return (named ?? '').trim().toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
  }

  /**
   * Serves these networks instead, at once; one that has another site of the same name goes on with
   * its connections. Resolves when what went to the sites there were is answered.
   */
  async assign(sites: readonly SiteAt[], isTrusted: IsTrusted): Promise<void> {
    const before = this.#entrances;
    this.#entrances = new Map();
    this.#byHostName = new Map();
    this.#fallback = undefined;
    this.#isTrusted = isTrusted;
    const endings: Promise<void>[] = [];
    for (const { name, site, hostNames } of sites) {
      let entrance = before.get(name);
      if (entrance === undefined) entrance = new Entrance(site);
      else endings.push(entrance.replace(site));
      before.delete(name);
      this.#entrances.set(name, entrance);
      for (const hostName of hostNames) this.#byHostName.set(hostName, entrance);
      if (hostNames.length === 0) this.#fallback = entrance;
    }
    for (const entrance of before.values()) endings.push(entrance.close());
    await Promise.all(endings);
  }
}

/** Trusts the peers in `ranges`: addresses, or CIDR ranges such as `10.0.0.0/8`. */
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
    // IPv4 peers of a socket that listens for both.
    const mapped = /^::ffff:([\d.]+)$/.exec(address)?.[1];
    if (mapped !== undefined) return list.check(mapped, 'ipv4');
    return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}
