import { isIPv6 } from 'node:net';
import type { Config } from './schema.ts';

const LOCALHOST = 'localhost';

interface Context {
  addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string }): void;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

type Report = (path: PropertyKey[], message: string) => void;

/** Reports settings that are valid on their own but not together. */
export function checkSettings(config: Config, context: Context): void {
  const report: Report = (path, message) => context.addIssue({ code: 'custom', path, message });
  checkNames(config, report);
  checkKeys(config, report);
  checkIdentities(config, report);
  checkAddresses(config, report);
  checkOverlaps(config, report);
}

function checkNames({ networks, accounts }: Config, report: Report): void {
  for (const [index, name] of duplicates(networks.map(({ name }) => name))) {
    report(['networks', index, 'name'], `duplicate network name "${name}"; rename one of them`);
  }
  for (const [index, id] of duplicates(accounts.map(({ id }) => id))) {
    report(['accounts', index, 'id'], `duplicate account id "${id}"; merge the two accounts`);
  }
  for (const [at, { upstreams }] of networks.entries()) {
    for (const [index, name] of duplicates(upstreams.map(({ name }) => name))) {
      const path = ['networks', at, 'upstreams', index, 'name'];
      report(path, `duplicate upstream name "${name}"; rename one of them`);
    }
  }
}

/** A key is a secret, so messages do not contain it. */
function checkKeys({ accounts }: Config, report: Report): void {
  const owners = new Map<string, string>();
  for (const [at, { id, keys }] of accounts.entries()) {
    for (const [index, { key }] of keys.entries()) {
      const owner = owners.get(key);
      owners.set(key, owner ?? id);
      if (owner === undefined) continue;
      const path = ['accounts', at, 'keys', index, 'key'];
      report(path, `already a key of account "${owner}"; remove one of them`);
    }
  }
}

/** Without a configured identity, the first upstream to respond would determine the chain. */
function checkIdentities({ networks }: Config, report: Report): void {
  for (const [index, { family, identity, upstreams, partner }] of networks.entries()) {
    if (
      family === 'evm' &&
      identity !== undefined &&
      !/^(?:0x[\da-f]+|0|[1-9]\d*)$/i.test(identity)
    ) {
      report(['networks', index, 'identity'], `expected a chain id such as 1, got "${identity}"`);
    }
    if (identity !== undefined || (upstreams.length < 2 && partner === undefined)) continue;
    report(
      ['networks', index, 'identity'],
      'missing, required with a partner or several upstreams; set it to their chain id or genesis hash',
    );
  }
}

/** Networks that share an address need different host names. */
function checkAddresses({ networks, ops, docs }: Config, report: Report): void {
  for (const [index, { listen, hostNames = [] }] of networks.entries()) {
    const path = ['networks', index];
    const other = [ops, docs].find((other) => other !== undefined && isShared(other, listen));
    if (other !== undefined) {
      const user = other === ops ? 'ops' : 'docs';
      report([...path, 'listen', 'port'], `port ${listen.port} is used by ${user}; change one`);
    }
    const others = networks.filter((other, at) => at !== index && isShared(other.listen, listen));
    if (others.length === 0) continue;
    const address = `${listen.host}:${listen.port}`;
    if (hostNames.length === 0) {
      const message = `shares ${address} with network ${others[0]!.name}; set hostNames`;
      report([...path, 'listen'], message);
    }
    if (others.some((other) => (other.listen.tls === undefined) !== (listen.tls === undefined))) {
      const message = `only some networks at ${address} have tls; set it for all or none`;
      report([...path, 'listen'], message);
    }
    for (const [at, hostName] of hostNames.entries()) {
      const owner = networks
        .slice(0, index)
        .find((other) => isShared(other.listen, listen) && other.hostNames?.includes(hostName));
      if (owner === undefined) continue;
      const message = `already a host name of network ${owner.name}; remove one of them`;
      report([...path, 'hostNames', at], message);
    }
  }
}

/** Only networks with different host names may share an address. */
function checkOverlaps({ networks, ops, docs }: Config, report: Report): void {
  const listeners = [
    ...networks.map(({ name, listen }, index) => ({
      what: `network ${name}`,
      path: ['networks', index, 'listen'],
      listen,
    })),
    ...(ops === undefined ? [] : [{ what: 'ops', path: ['ops'], listen: ops }]),
    ...(docs === undefined ? [] : [{ what: 'docs', path: ['docs'], listen: docs }]),
  ];
  for (const [index, { path, listen }] of listeners.entries()) {
    const overlaps = ({ listen: other }: (typeof listeners)[number]): boolean =>
      isWithin(other, listen) || (listen === docs && other === ops && isShared(other, listen));
    const other = listeners.slice(0, index).find(overlaps);
    if (other === undefined) continue;
    const { host, port } = other.listen;
    report(path, `overlaps ${other.what} at ${host}:${port}; set another port`);
  }
}

/** Whether two addresses with different hosts overlap. */
function isWithin(a: Address, b: Address): boolean {
  if (a.port === 0 || a.port !== b.port || a.host === b.host) return false;
  const hosts = [a.host, b.host];
  // localhost is 127.0.0.1, ::1 or both.
  const other = hosts.find((host) => host !== LOCALHOST);
  if (hosts.includes(LOCALHOST)) return ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(other!);
  return hosts.includes('::') || (hosts.includes('0.0.0.0') && !hosts.some(isIPv6));
}

/** Whether two listeners share an address; each port 0 becomes a different free port. */
function isShared(a: Address, b: Address): boolean {
  return a.port !== 0 && a.port === b.port && a.host === b.host;
}

/** Returns each name that already occurred earlier in the list, with its index. */
function duplicates(names: readonly (string | undefined)[]): [index: number, name: string][] {
  return [...names.entries()].filter(
    (entry): entry is [number, string] =>
      entry[1] !== undefined && names.indexOf(entry[1]) !== entry[0],
  );
}
