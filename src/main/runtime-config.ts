import { defaultCompression } from '../config/compression-schema.ts';
import { resolveLimits, type Limits } from '../config/limits.ts';
import type { Config, NetworkConfig } from '../config/schema.ts';
import type { Protocol } from '../gateway/protocol.ts';
import type { Monitor } from '../monitor/monitor.ts';
import type { Serving } from '../transport/listen.ts';
import { trustRanges } from '../transport/host-router.ts';
import { createCompression, type Compression } from '../transport/compression.ts';
import type { NetworkService } from '../transport/network-service.ts';
import { isWrongChain } from '../upstream/health/chain-identity.ts';
import { defaultUpstreamLimits, type UpstreamLimits } from '../upstream/limits.ts';
import { addressesOf, type Address } from './addresses.ts';
import type { ServedAddress } from './listeners.ts';
import type { LoadedConfig } from './load-config.ts';
import { openNetwork, type OpenNetwork } from './network.ts';
import {
  createNetworkService,
  monitorResults,
  type SharedDependencies,
} from './network-service.ts';
import { StartError } from './start-error.ts';

/** A configuration at run time: its limits, and its networks with their upstreams open. */
export interface RuntimeConfig {
  readonly limits: Limits;
  readonly networks: ReadonlyMap<string, RuntimeNetwork>;
  readonly addresses: readonly ServedAddress[];
}

export interface RuntimeNetwork {
  readonly opened: OpenNetwork;
  readonly service: NetworkService;
  readonly monitor: Monitor;
  /** Equal to that of another configuration when the open upstreams can be reused. */
  readonly fingerprint: string;
}

/**
 * Opens a configuration; resolves when each new upstream has been probed once. Networks that are the
 * same in `previous` keep their upstreams, and so their connections, breakers and budgets.
 */
export async function openRuntimeConfig(
  loaded: LoadedConfig,
  shared: SharedDependencies,
  previous?: RuntimeConfig,
): Promise<RuntimeConfig> {
  const { config } = loaded;
  const limits = limitsFor(config, shared.protocol);
  const compression = openCompression(config, limits);
  const networks = new Map<string, RuntimeNetwork>();
  const starting: Promise<void>[] = [];
  for (const network of config.networks) {
    const { name, family } = network;
    const fingerprint = fingerprintOf(network, limits);
    const known = previous?.networks.get(name);
    const isSame = known?.fingerprint === fingerprint;
    const opened = isSame ? known.opened : openNetwork(network, { ...shared, limits });
    if (!isSame) starting.push(opened.network.start());
    const monitor = monitorResults(name, config.monitorShare, shared);
    const service = createNetworkService(
      { name, family, network: opened.network, monitor, limits, compression },
      shared,
    );
    networks.set(name, { opened, service, monitor, fingerprint });
  }
  await Promise.all(starting);
  const addresses = addressesOf(config).map((address) => ({
    ...address,
    serving: servingAt(address, loaded, networks),
  }));
  return { limits, networks, addresses };
}

function servingAt(
  address: Address,
  { config, keyPairs }: LoadedConfig,
  networks: RuntimeConfig['networks'],
): Serving {
  const served = address.networks.map(({ name, hostNames = [] }) => ({
    name,
    hostNames,
    service: networks.get(name)!.service,
  }));
  const [first, ...others] = address.networks.flatMap(({ name, hostNames = [] }) => {
    const pair = keyPairs[name];
    return pair === undefined ? [] : [{ ...pair, hostNames }];
  });
  return {
    networks: served,
    isTrusted: trustRanges(config.trustedProxies),
    certificates: first === undefined ? undefined : [first, ...others],
  };
}

/** Returns the default limits, overridden by the document, overridden by the configuration. */
export function limitsFor(config: Config, { limits }: Pick<Protocol, 'limits'>): Limits {
  const described = { request_bytes: limits.requestBytes, batch_calls: limits.batchCalls };
  return resolveLimits(described, config.limits);
}

function openCompression(
  { compression: { enabled, brotliQuality, gzipLevel } = defaultCompression }: Config,
  { compress_from_bytes: from_bytes, compressed_streams: max_streams }: Limits,
): Compression | undefined {
  if (!enabled) return undefined;
  return createCompression({ brotliQuality, gzipLevel, from_bytes, max_streams });
}

function fingerprintOf(network: NetworkConfig, limits: Limits): string {
  const { listen: _listen, hostNames: _hostNames, ...own } = network;
  const names = Object.keys(defaultUpstreamLimits) as (keyof UpstreamLimits)[];
  return JSON.stringify([own, names.map((name) => limits[name])]);
}

/**
 * Checks that `next` can replace `current`.
 * @throws StartError if an upstream belongs to another chain, or if a network would lose its last
 *   healthy upstream
 */
export function checkReplacement(next: RuntimeConfig, current: RuntimeConfig): void {
  const problems: string[] = [];
  for (const [name, { opened }] of next.networks) {
    const known = current.networks.get(name)?.opened;
    if (opened === known) continue;
    const unhealthy = [...opened.unhealthy];
    const otherChain = unhealthy.filter(([, detail]) => isWrongChain(detail));
    for (const [upstream, detail] of otherChain) {
      problems.push(
        `network ${name}: upstream ${upstream}: ${detail}; fix its url or the identity`,
      );
    }
    const wasHealthy = known === undefined || known.network.head() !== undefined;
    if (opened.network.head() !== undefined || !wasHealthy || otherChain.length > 0) continue;
    const details = unhealthy.map(([upstream, detail]) => `${upstream}: ${detail}`).join('; ');
    problems.push(`network ${name}: no healthy upstream (${details}); check the urls`);
  }
  if (problems.length > 0) throw new StartError(problems.join('\n'));
}

export interface CloseOptions {
  /** What this configuration keeps open. */
  readonly replacement?: RuntimeConfig;
  /** How long calls in flight may take, including those whose callers have left. */
  readonly drain_ms?: number;
}

/** Closes the networks that are not part of the replacement. */
export async function closeRuntimeConfig(
  { networks, limits }: RuntimeConfig,
  { replacement, drain_ms = limits.drain_ms }: CloseOptions = {},
): Promise<void> {
  const closing: Promise<void>[] = [];
  for (const [name, { opened, monitor }] of networks) {
    const next = replacement?.networks.get(name);
    if (monitor !== next?.monitor) monitor.stop();
    if (opened !== next?.opened) closing.push(opened.network.stop(drain_ms));
  }
  await Promise.all(closing);
}
