import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { Dispatcher, Response } from 'undici';
import { isPrivateAddress } from './private-address.ts';

/** How host names are resolved and addresses classified. */
export interface Network {
  lookup(hostname: string): Promise<LookupAddress[]>;
  isPrivate(address: string): boolean;
}

/** Node's own switch for a proxy, which then resolves names and decides which hosts can be reached. */
// oxlint-disable-next-line node/no-process-env
const USES_PROXY = process.env['NODE_USE_ENV_PROXY'] === '1';

const systemNetwork: Network = {
  lookup: (hostname) => lookup(hostname, { all: true }),
  isPrivate: isPrivateAddress,
};

export interface GetOptions {
  /**
   * The URL that led to this one, by a reference or a redirect; undefined for a URL that the user passed.
   */
  readonly from: string | undefined;
  readonly signal: AbortSignal;
}

/** The connections of one load of a document. */
export interface Connections {
  /**
   * Requests a URL; redirects are not followed.
   *
   * @throws PrivateAddressError when a public address leads to a private one
   */
  get(url: string, options: GetOptions): Promise<Response>;
}

/** Thrown instead of connecting to a private address that a public one leads to. */
export class PrivateAddressError extends Error {}

/**
 * Creates the connections of one load. Each host name is resolved once, and all connections use these
 * addresses: if a name resolved differently later, it would lead to hosts that were not checked.
 */
export function createConnections(network: Network = systemNetwork): Connections {
  const known = new Map<string, Promise<LookupAddress[]>>();
  const addressesOf = (host: string): Promise<LookupAddress[]> => {
    const hostname = host.replace(/^\[|\]$/g, '');
    const family = isIP(hostname);
    let addresses = known.get(hostname);
    if (addresses === undefined) {
      addresses =
        family === 0 ? network.lookup(hostname) : Promise.resolve([{ address: hostname, family }]);
      known.set(hostname, addresses);
    }
    return addresses;
  };
  const privateOf = (addresses: readonly LookupAddress[]) =>
    addresses.filter(({ address }) => network.isPrivate(address));
  const lookupKnown: LookupFunction = (hostname, { all = false }, callback) =>
    callbackify(addressesOf)(hostname, (error, addresses) => {
      if (error !== null || all) callback(error, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  let dispatcher: Dispatcher | undefined;

  async function refusePrivate(url: string, from: string | undefined): Promise<void> {
    const { hostname } = new URL(url);
    const addresses = await addressesOf(hostname);
    if (from === undefined || !/^https?:/i.test(from)) return;
    const [address] = privateOf(addresses);
    if (address === undefined) return;
    const before = await addressesOf(new URL(from).hostname);
    if (privateOf(before).length === before.length) return;
    throw new PrivateAddressError(
      `${new URL(from).host} has a public address, and leads to ${hostname} with the private address ${address.address}`,
    );
  }

  return {
    async get(url, { from, signal }) {
      if (!USES_PROXY) await orAbort(refusePrivate(url, from), signal);
      // Loaded on first use: most documents are files.
      const { Agent, EnvHttpProxyAgent, fetch } = await import('undici');
      const options = { allowH2: false, connect: { lookup: lookupKnown } };
      dispatcher ??= USES_PROXY ? new EnvHttpProxyAgent(options) : new Agent(options);
      return fetch(url, { signal, redirect: 'manual', dispatcher });
    },
  };
}

/**
 * Waits for work until the signal aborts. A look-up cannot be canceled, so the caller stops waiting for
 * it.
 */
async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
