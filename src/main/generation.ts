import type { Limits } from '../config/limits.ts';
import type { NetworkConfig } from '../config/schema.ts';
import type { Monitor } from '../monitor/monitor.ts';
import type { NetworkService } from '../transport/network-service.ts';
import { isWrongChain } from '../upstream/health/chain-identity.ts';
import { defaultUpstreamLimits, type UpstreamLimits } from '../upstream/limits.ts';
import type { BlockParams } from '../upstream/routing/heights.ts';
import { limitsFor } from './limits-for.ts';
import type { LoadedConfig } from './load-config.ts';
import { openCompression } from './open-compression.ts';
import { openNetwork, type OpenedNetwork } from './open-network.ts';
import { openSite, type Shared } from './open-site.ts';
import { StartError } from './start-error.ts';
import { watchContract } from './watch-contract.ts';

/** What the generations of a gateway have in common. */
export type Lasting = Omit<Shared, 'limits' | 'compression'> & {
  /** Where the params of each method name a block, as the document says. */
  readonly blockParams: BlockParams;
};

/** A network as one configuration has it. */
export interface ServedNetwork {
  readonly opened: OpenedNetwork;
  readonly site: NetworkService;
  readonly monitor: Monitor;
  /** What the network was opened with; equal for one that can be taken over as it is. */
  readonly terms: string;
}

/** All that follows from one reading of the configuration, but the addresses. */
export interface Generation {
  readonly loaded: LoadedConfig;
  readonly limits: Limits;
  readonly networks: ReadonlyMap<string, ServedNetwork>;
}

/**
 * Opens the networks of a configuration; those that are as they were `before` are taken over, so that
 * connections, breakers and budgets go on. Resolves when each upstream was asked once.
 */
export async function openGeneration(
  loaded: LoadedConfig,
  lasting: Lasting,
  before?: Generation,
): Promise<Generation> {
  const { config } = loaded;
  const limits = limitsFor(config, lasting.protocol);
  const compression = openCompression(config.compression, limits);
  const networks = new Map<string, ServedNetwork>();
  const starting: Promise<void>[] = [];
  for (const network of config.networks) {
    const { name, family } = network;
    const terms = termsOf(network, limits);
    const known = before?.networks.get(name);
    const isSame = known?.terms === terms;
    const opened = isSame ? known.opened : openNetwork(network, { ...lasting, limits });
    if (!isSame) starting.push(opened.network.start());
    const monitor = watchContract(name, { ...lasting, share: config.monitorShare });
    const served = { family, network: opened.network, monitor };
    const site = openSite(name, served, { ...lasting, limits, compression });
    networks.set(name, { opened, site, monitor, terms });
  }
  await Promise.all(starting);
  return { loaded, limits, networks };
}

/**
 * Throws StartError when a network of `next` could not answer, though the one of that name can now;
 * or when an upstream says that it is of another chain, which no waiting mends.
 */
export function refuseUnfit(next: Generation, before: Generation): void {
  const problems: string[] = [];
  for (const [name, { opened }] of next.networks) {
    const known = before.networks.get(name);
    if (opened === known?.opened) continue;
    const { network, troubles } = opened;
    const strangers = [...troubles].filter(([, detail]) => isWrongChain(detail));
    for (const [upstream, detail] of strangers) {
      problems.push(
        `network ${name}: upstream ${upstream}: ${detail}; mend its url or the identity`,
      );
    }
    const wasFit = known === undefined || known.opened.network.head() !== undefined;
    if (network.head() !== undefined || !wasFit || strangers.length > 0) continue;
    const details = [...troubles].map(([upstream, detail]) => `${upstream}: ${detail}`).join('; ');
    problems.push(`network ${name}: no upstream is fit to be asked (${details}); check their urls`);
  }
  if (problems.length > 0) throw new StartError(problems.join('\n'));
}

export interface ClosingOptions {
  readonly after?: Generation;
  /** For calls under way, those whose callers have left among them. */
  readonly drain_ms?: number;
}

/** Ends what of a generation is not part of the one after it. */
export async function closeGeneration(
  { networks, limits }: Generation,
  { after, drain_ms = limits.drain_ms }: ClosingOptions = {},
): Promise<void> {
  const closing: Promise<void>[] = [];
  for (const [name, { opened, monitor }] of networks) {
    const next = after?.networks.get(name);
    if (monitor !== next?.monitor) monitor.stop();
    if (opened !== next?.opened) closing.push(opened.network.stop(drain_ms));
  }
  await Promise.all(closing);
}

function termsOf(network: NetworkConfig, limits: Limits): string {
  const { listen: _listen, hostNames: _hostNames, ...own } = network;
  const names = Object.keys(defaultUpstreamLimits) as (keyof UpstreamLimits)[];
  return JSON.stringify([own, names.map((name) => limits[name])]);
}
