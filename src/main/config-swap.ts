import { defaultCompression, type Config, type NetworkConfig } from '../config/schema.ts';
import { defaultLimits, resolveLimits, type Limits } from '../config/limits.ts';
import type { Protocol } from '../gateway/protocol.ts';
import type { Monitor } from '../monitor/monitor.ts';
import { within } from '../time/within.ts';
import type { Serving } from '../transport/listen.ts';
import { trustRanges } from '../transport/host-router.ts';
import { createCompression, type Compression } from '../transport/compression.ts';
import type { NetworkService } from '../transport/network-service.ts';
import { isWrongChain } from '../upstream/health/chain-identity.ts';
import { defaultUpstreamLimits, type UpstreamLimits } from '../upstream/limits.ts';
import { addressesOf, type Address } from './addresses.ts';
import { closeListeners, type Listeners, type ServedAddress } from './listeners.ts';
import { mergePlans, type LoadedConfig } from './load-config.ts';
import { connectionsPerAddress, maxOpenFiles } from './open-files.ts';
import {
  createNetworkService,
  monitorResults,
  openNetwork,
  type OpenNetwork,
  type SharedDependencies,
} from './network-service.ts';
import { StartError } from './start-error.ts';

/** A configuration at run time: its limits, and its networks with their upstreams open. */
interface RuntimeConfig {
  readonly limits: Limits;
  readonly networks: ReadonlyMap<string, RuntimeNetwork>;
  readonly addresses: readonly ServedAddress[];
}

export interface RuntimeNetwork {
  readonly opened: OpenNetwork;
  readonly service: NetworkService;
  readonly monitor: Monitor;
  /** Equal in two configurations if the second can reuse the open upstreams of the first. */
  readonly fingerprint: string;
}

/** A configuration that is open, but not served yet. The owner calls exactly one of the methods. */
export interface PreparedConfig {
  /** Starts to serve it; calls in flight complete on the previous configuration. */
  activate(): void;
  /** Closes it; the current configuration stays. */
  discard(): Promise<void>;
}

/** Holds the current configuration and replaces it without dropping a connection. */
export class ConfigSwap {
  readonly #shared: SharedDependencies;
  readonly #listeners: Listeners;
  /** Replaced configurations with calls in flight; each resolves to the number of calls that were cut. */
  readonly #draining = new Set<Promise<number>>();
  #current: RuntimeConfig;

  private constructor(first: RuntimeConfig, shared: SharedDependencies, listeners: Listeners) {
    this.#current = first;
    this.#shared = shared;
    this.#listeners = listeners;
  }

  /**
   * Opens and serves the first configuration.
   * @throws StartError, with nothing left open, if an address cannot be listened on
   */
  static async start(
    loaded: LoadedConfig,
    shared: SharedDependencies,
    listeners: Listeners,
  ): Promise<ConfigSwap> {
    const first = await openRuntimeConfig(loaded, shared);
    try {
      await listeners.serve(first.addresses, await listeners.open(first.addresses), 0);
    } catch (error) {
      await closeRuntimeConfig(first);
      throw error;
    }
    return new ConfigSwap(first, shared, listeners);
  }

  get current(): RuntimeConfig {
    return this.#current;
  }

  /**
   * Opens another configuration alongside the current one.
   * @throws StartError, with nothing new left open, if it cannot replace the current one
   */
  async prepare(loaded: LoadedConfig): Promise<PreparedConfig> {
    const previous = this.#current;
    const next = await openRuntimeConfig(loaded, this.#shared, previous);
    const close = (): Promise<number> => closeRuntimeConfig(next, previous);
    try {
      checkReplacement(next, previous);
      const opened = await this.#listeners.open(next.addresses);
      return {
        activate: () => {
          this.#current = next;
          const { drain_ms } = previous.limits;
          this.#drain(previous, this.#listeners.serve(next.addresses, opened, drain_ms));
        },
        discard: async () => {
          await closeListeners(opened.values(), 0);
          await close();
        },
      };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /**
   * Closes the addresses once accepted calls have completed, then the networks. Rejects if calls were cut
   * because they took longer than `drain_ms`.
   */
  async stop(): Promise<void> {
    const { clock } = this.#shared;
    const { drain_ms } = this.#current.limits;
    const deadline_ms = clock.monotonic_ms() + drain_ms;
    const draining = Promise.all(this.#draining);
    const cutNow = await this.#listeners.close(drain_ms);
    const cut = (await draining).reduce((sum, each) => sum + each, cutNow);
    // Calls whose callers have left share the deadline of the others.
    const left_ms = Math.max(0, deadline_ms - clock.monotonic_ms());
    await closeRuntimeConfig(this.#current, undefined, left_ms);
    if (cut > 0) throw new Error(`calls cut at the end of drain_ms (${drain_ms} ms): ${cut}`);
  }

  /** Closes a replaced configuration once its calls have completed, at the latest after its drain time. */
  #drain(replaced: RuntimeConfig, answered: Promise<void>): void {
    const replacement = this.#current;
    const { clock } = this.#shared;
    const { drain_ms } = replaced.limits;
    const deadline_ms = clock.monotonic_ms() + drain_ms;
    const draining: Promise<number> = within(drain_ms, answered)
      .catch(() => undefined)
      .then(() => {
        const left_ms = Math.max(0, deadline_ms - clock.monotonic_ms());
        return closeRuntimeConfig(replaced, replacement, left_ms);
      })
      .finally(() => this.#draining.delete(draining));
    this.#draining.add(draining);
  }
}

/**
 * Opens a configuration; resolves when each new upstream has been probed once. Networks that are the
 * same in `previous` keep their upstreams, and so their connections, breakers and budgets.
 */
async function openRuntimeConfig(
  loaded: LoadedConfig,
  shared: SharedDependencies,
  previous?: RuntimeConfig,
): Promise<RuntimeConfig> {
  const { config } = loaded;
  const limits = limitsFor(config, shared.protocol);
  const { connections } = limits;
  if (connections < (config.limits.connections ?? defaultLimits.connections)) {
    shared.logger.warn({ connections }, 'the limit of open files allows fewer connections');
  }
  const compression = openCompression(config, limits);
  const forwardingPlans = mergePlans(shared.protocol.plans, config.plans)
    .filter(({ forwarding }) => forwarding)
    .map(({ name }) => name);
  const networks = new Map<string, RuntimeNetwork>();
  const starting: Promise<void>[] = [];
  for (const network of config.networks) {
    const { name, serviceMethods = true } = network;
    const fingerprint = fingerprintOf(network, limits);
    const known = previous?.networks.get(name);
    const isSame = known?.fingerprint === fingerprint;
    const opened = isSame ? known.opened : openNetwork(network, limits, shared);
    if (!isSame) starting.push(opened.network.start());
    const monitor = monitorResults(network, config.monitorShare, shared);
    const service = createNetworkService(
      {
        ...network,
        serviceMethods,
        networks: config.networks,
        network: opened.network,
        forwardingPlans,
        monitor,
        limits,
        compression,
      },
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
  const [first, ...others] = address.networks.flatMap(({ name, hostNames = [] }) => {
    const pair = keyPairs[name];
    return pair === undefined ? [] : [{ ...pair, hostNames }];
  });
  return {
    networks: address.networks.map(({ name, hostNames = [] }) => ({
      name,
      hostNames,
      service: networks.get(name)!.service,
    })),
    isTrusted: trustRanges(config.trustedProxies),
    certificates: first === undefined ? undefined : [first, ...others],
  };
}

/** Returns the default limits, overridden by the document, overridden by the configuration. */
export function limitsFor(config: Config, { limits }: Pick<Protocol, 'limits'>): Limits {
  const described = { request_bytes: limits.requestBytes, batch_calls: limits.batchCalls };
  const resolved = resolveLimits(described, config.limits);
  return { ...resolved, connections: connectionsPerAddress(config, resolved, maxOpenFiles()) };
}

function openCompression(
  { compression: { enabled, brotliQuality, gzipLevel } = defaultCompression }: Config,
  { compress_from_bytes: from_bytes, compressed_streams: max_streams }: Limits,
): Compression | undefined {
  if (!enabled) return undefined;
  return createCompression({ brotliQuality, gzipLevel, from_bytes, max_streams });
}

function fingerprintOf(network: NetworkConfig, limits: Limits): string {
  const { listen: _listen, hostNames: _hostNames, serviceMethods: _methods, ...own } = network;
  const names = Object.keys(defaultUpstreamLimits) as (keyof UpstreamLimits)[];
  return JSON.stringify([own, names.map((name) => limits[name])]);
}

/**
 * Checks that `next` can replace `current`.
 * @throws StartError if an upstream belongs to another chain, or if a network would lose its last
 *   healthy upstream
 */
function checkReplacement(next: RuntimeConfig, current: RuntimeConfig): void {
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

/**
 * Closes the networks that are not part of the replacement. Resolves to the number of calls that were cut.
 *
 * @param drain_ms how long calls in flight may take, including those whose callers have left.
 */
async function closeRuntimeConfig(
  { networks, limits }: RuntimeConfig,
  replacement?: RuntimeConfig,
  drain_ms = limits.drain_ms,
): Promise<number> {
  const closing: Promise<number>[] = [];
  for (const [name, { opened, monitor, service }] of networks) {
    const next = replacement?.networks.get(name);
    if (monitor !== next?.monitor) monitor.stop();
    if (opened === next?.opened) continue;
    const draining = opened.network.drain(drain_ms);
    const cut = draining.then((haveEnded) => (haveEnded ? 0 : service.rpc.callsInFlight()));
    closing.push(cut.finally(() => opened.network.stop()));
  }
  return (await Promise.all(closing)).reduce((sum, cut) => sum + cut, 0);
}
