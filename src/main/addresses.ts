import type { Config, NetworkConfig } from '../config/schema.ts';

/** An address to listen on, with the networks that share it. */
export interface Address {
  /** Identifies the address within a configuration and across reloads. */
  readonly key: string;
  readonly host: string;
  readonly port: number;
  readonly networks: readonly NetworkConfig[];
}

/** Groups the networks of a configuration by address. Networks with port 0 never share one. */
export function addressesOf({ networks }: Pick<Config, 'networks'>): Address[] {
  const byKey = Map.groupBy(networks, keyOf);
  return [...byKey].map(([key, group]) => ({ key, ...group[0]!.listen, networks: group }));
}

export function keyOf({ name, listen: { host, port } }: NetworkConfig): string {
  return port === 0 ? `${host}:0 ${name}` : `${host}:${port}`;
}

/** Formats host and port for a URL. */
export function authorityOf(host: string, port: number): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Returns a function that names the setting of a listener's port, for error messages. */
export function portSettingIn(file: string): (listener: string) => string {
  return (listener) =>
    listener === 'ops' || listener === 'docs'
      ? `${listener}.port in ${file}`
      : `listen.port of network ${listener} in ${file}`;
}

/** A network being served, with its base addresses. */
export interface RunningNetwork {
  readonly name: string;
  readonly family: string;
  /** Such as `http://127.0.0.1:8545`. */
  readonly http: string;
  readonly ws: string;
  /** Host and port that it listens on. */
  readonly listen: string;
}

/** The addresses that a gateway serves. */
export interface ServedAddresses {
  readonly networks: readonly RunningNetwork[];
  /** They end with a slash; undefined when this process does not serve them. */
  readonly ops: string | undefined;
  readonly docs: string | undefined;
}

export function describeNetwork(
  { name, family, listen, hostNames }: NetworkConfig,
  port: number,
): RunningNetwork {
  const authority = authorityOf(hostNames?.[0] ?? listen.host, port);
  const secure = listen.tls === undefined ? '' : 's';
  return {
    name,
    family,
    http: `http${secure}://${authority}`,
    ws: `ws${secure}://${authority}`,
    listen: authorityOf(listen.host, port),
  };
}
