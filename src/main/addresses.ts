import type { Config, NetworkConfig } from '../config/schema.ts';

/** Networks that listen at one address. */
export interface Address {
  /** Tells addresses apart, also from one configuration to the next. */
  readonly key: string;
  readonly host: string;
  readonly port: number;
  readonly networks: readonly NetworkConfig[];
}

/** The addresses networks listen at, each once. A port of 0 is each network's own. */
export function addressesOf({ networks }: Pick<Config, 'networks'>): Address[] {
  const addresses = new Map<string, NetworkConfig[]>();
  for (const network of networks) {
    const key = keyOf(network);
    addresses.set(key, [...(addresses.get(key) ?? []), network]);
  }
  return [...addresses].map(([key, at]) => {
    const { host, port } = at[0]!.listen;
    return { key, host, port, networks: at };
  });
}

export function keyOf({ name, listen: { host, port } }: NetworkConfig): string {
  return port === 0 ? `${host}:0 ${name}` : `${host}:${port}`;
}

/** Host and port as they stand in a URL. */
export function authorityOf(host: string, port: number): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;
}
