import { isIPv6 } from 'node:net';
import { defaultLimits } from './limits.ts';
import type { Config } from './schema.ts';

const LOCALHOST = 'localhost';

interface Context {
  addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string }): void;
}

/** What is wrong with settings that are each right by themselves. */
export function checkSettings(config: Config, context: Context): void {
  const tell = (path: PropertyKey[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });
  checkNames(config, tell);
  checkKeys(config, tell);
  checkIdentities(config, tell);
  checkAddresses(config, tell);
  checkOverlaps(config, tell);
  checkLimits(config, tell);
}

interface Place {
  readonly host: string;
  readonly port: number;
}

type Tell = (path: PropertyKey[], message: string) => void;

/** Networks, accounts and the upstreams of a network are told apart by their names. */
function checkNames({ networks, accounts }: Config, tell: Tell): void {
  for (const [index, name] of twins(networks.map(({ name }) => name))) {
    tell(['networks', index, 'name'], `there is another network ${name}; name it otherwise`);
  }
  for (const [index, id] of twins(accounts.map(({ id }) => id))) {
    tell(['accounts', index, 'id'], `there is another account ${id}; put their keys together`);
  }
  for (const [at, { upstreams }] of networks.entries()) {
    for (const [index, name] of twins(upstreams.map(({ name }) => name))) {
      const message = `there is another upstream ${name}; name it otherwise`;
      tell(['networks', at, 'upstreams', index, 'name'], message);
    }
  }
}

/** A key tells whose call it is. It is a secret, so only where it stands is told. */
function checkKeys({ accounts }: Config, tell: Tell): void {
  const owners = new Map<string, string>();
  for (const [at, { id, keys }] of accounts.entries()) {
    for (const [index, { key }] of keys.entries()) {
      const owner = owners.get(key);
      owners.set(key, owner ?? id);
      if (owner === undefined) continue;
      const message = `is a key of account ${owner} already; give each key to one account, once`;
      tell(['accounts', at, 'keys', index, 'key'], message);
    }
  }
}

/** Of several machines one may be of another chain; if that one answered first, it would decide. */
function checkIdentities({ networks }: Config, tell: Tell): void {
  for (const [index, { identity, upstreams, partner }] of networks.entries()) {
    if (identity !== undefined || (upstreams.length < 2 && partner === undefined)) continue;
    const message =
      'missing; with a partner or several upstreams, say which chain all of them have to be of: ' +
      'identity: <chain id, or genesis hash>';
    tell(['networks', index, 'identity'], message);
  }
}

/** The networks of an address are told apart by host names, so each has some of its own. */
function checkAddresses({ networks, ops, docs }: Config, tell: Tell): void {
  for (const [index, { listen, hostNames = [] }] of networks.entries()) {
    const path = ['networks', index];
    const taken = [ops, docs].find((other) => other !== undefined && isShared(other, listen));
    if (taken !== undefined) {
      const what = taken === ops ? 'ops' : 'docs';
      tell([...path, 'listen', 'port'], `${what} listens there; set another port`);
    }
    const others = networks.filter((other, at) => at !== index && isShared(other.listen, listen));
    if (others.length === 0) continue;
    if (hostNames.length === 0) {
      const message = `shares ${listen.host}:${listen.port} with ${others[0]!.name}; set hostNames`;
      tell([...path, 'listen'], message);
    }
    if (others.some((other) => (other.listen.tls === undefined) !== (listen.tls === undefined))) {
      tell([...path, 'listen'], 'all networks of an address have tls, or none; set it for each');
    }
    for (const [at, hostName] of hostNames.entries()) {
      const owner = networks
        .slice(0, index)
        .find((other) => isShared(other.listen, listen) && other.hostNames?.includes(hostName));
      if (owner === undefined) continue;
      const message = `is a name of network ${owner.name} too; take one of them out`;
      tell([...path, 'hostNames', at], message);
    }
  }
}

/** No two listen at one address, but networks that are told apart by host names. */
function checkOverlaps({ networks, ops, docs }: Config, tell: Tell): void {
  const places = [
    ...networks.map(({ name, listen }, index) => ({
      what: `network ${name}`,
      path: ['networks', index, 'listen'],
      listen,
    })),
    ...(ops === undefined ? [] : [{ what: 'ops', path: ['ops'], listen: ops }]),
    ...(docs === undefined ? [] : [{ what: 'docs', path: ['docs'], listen: docs }]),
  ];
  for (const [index, { path, listen }] of places.entries()) {
    const isTaken = ({ listen: taken }: (typeof places)[number]): boolean =>
      isWithin(taken, listen) || (listen === docs && taken === ops && isShared(taken, listen));
    const other = places.slice(0, index).find(isTaken);
    if (other === undefined) continue;
    const { host, port } = other.listen;
    tell(
      path,
      `${other.what} listens at ${host}:${port}, which has a place in common with this; set another port`,
    );
  }
}

/** Whether they have a place in common, though they are written as two. */
function isWithin(a: Place, b: Place): boolean {
  if (a.port === 0 || a.port !== b.port || a.host === b.host) return false;
  const hosts = [a.host, b.host];
  // What it stands for is either of them, or both.
  const other = hosts.find((host) => host !== LOCALHOST);
  if (hosts.includes(LOCALHOST)) return ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(other!);
  // An address of all interfaces leaves none of its port to another.
  return hosts.includes('::') || (hosts.includes('0.0.0.0') && !hosts.some(isIPv6));
}

function checkLimits({ limits }: Config, tell: Tell): void {
  const { lease_ttl_ms = defaultLimits.lease_ttl_ms, lease_tick_ms = defaultLimits.lease_tick_ms } =
    limits;
  if (lease_tick_ms * 2 > lease_ttl_ms) {
    tell(['limits', 'lease_tick_ms'], 'must be at most half of lease_ttl_ms; lower it');
  }
}

/** Whether two listen at one address; a port of 0 is of its own. */
export function isShared(a: Place, b: Place): boolean {
  return a.port !== 0 && a.port === b.port && a.host === b.host;
}

/** Names that stood before, with where they stand again. */
function twins(names: readonly (string | undefined)[]): [index: number, name: string][] {
  return [...names.entries()].filter(
    (entry): entry is [number, string] =>
      entry[1] !== undefined && names.indexOf(entry[1]) !== entry[0],
  );
}
