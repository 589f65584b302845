import { defaultLimits, type Limits } from '../config/limits.ts';
import type { Config } from '../config/schema.ts';
import { RateLimit } from '../credits/rate-limit.ts';
import { serveDocs } from '../docs/serve-docs.ts';
import { createErrors } from '../errors/catalogue.ts';
import type { Protocol } from '../gateway/protocol.ts';
import { createMetrics } from '../ops/metrics.ts';
import { serveOperations } from '../ops/operations.ts';
import { reportReadiness, type Readiness } from '../ops/readiness.ts';
import type { Clock } from '../time/clock.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import { listen, type Listener } from '../transport/listen.ts';
import { createRequestIds } from '../transport/request-ids.ts';
import type { Site } from '../transport/site.ts';
import type { Network } from '../upstream/network.ts';
import { Closers } from './closers.ts';
import type { Logger } from './logger.ts';
import { openBooks } from './open-books.ts';
import { openCompression } from './open-compression.ts';
import { openNetwork } from './open-network.ts';
import { openSite, type Shared } from './open-site.ts';
import { explainListening } from './start-error.ts';
import { watchContract } from './watch-contract.ts';

export interface GatewayDependencies {
  readonly protocol: Protocol;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Absent when nobody follows calls. */
  readonly tracing?: Tracing | undefined;
  /** Tells this instance's request ids from those of others. */
  readonly instance: string;
  /** Shown on the documentation page, where anyone may use it. */
  readonly demoKey?: string;
  /** How to set the port of `ops`, `docs` or a network, for when it cannot be had. */
  readonly portSetting: (listener: string) => string;
}

export interface RunningNetwork {
  readonly name: string;
  readonly family: string;
  /** Base address for HTTP, such as `http://127.0.0.1:8545`. */
  readonly http: string;
  readonly ws: string;
}

export interface RunningGateway {
  readonly networks: readonly RunningNetwork[];
  /** Addresses, with a slash behind them. */
  readonly ops: string;
  readonly docs: string | undefined;
  /** Answers what was taken, within limits, and leaves nothing open. */
  stop(): Promise<void>;
}

/**
 * Starts everything a configuration asks for; resolves when callers are served. Throws StartError
 * when that cannot be, with nothing left open.
 */
export async function startGateway(
  config: Config,
  dependencies: GatewayDependencies,
): Promise<RunningGateway> {
  const closers = new Closers();
  try {
    return await open(config, dependencies, closers);
  } catch (error) {
    await closers.closeAll().catch(() => undefined);
    throw error;
  }
}

async function open(
  config: Config,
  dependencies: GatewayDependencies,
  closers: Closers,
): Promise<RunningGateway> {
  const { protocol, logger, clock, tracing } = dependencies;
  if (tracing !== undefined) closers.add(() => flushed(tracing, logger));
  const limits = limitsFor(config, protocol);
  const metrics = createMetrics();
  const blockParams = Object.fromEntries(
    Object.values(dependencies.protocol.methods).map(({ name, blocks }) => [name, blocks]),
  );
  const networks = new Map<string, Network>();
  for (const network of config.networks) {
    const opened = openNetwork(network, { limits, metrics, logger, clock, blockParams });
    networks.set(network.name, opened);
    closers.add(() => opened.stop());
  }
  const readiness: Readiness = { phase: 'starting', networks: () => fitness(networks) };
  const ops = await explained(serveOperations(config.ops, readiness, metrics), {
    ...config.ops,
    setting: dependencies.portSetting('ops'),
  });
  closers.add(() => ops.close());
  const listeners: Listener[] = [];
  const rate = new RateLimit(() => clock.monotonic_ms());
  const { index, ledger } = await openBooks(config, {
    plans: protocol.plans,
    limits,
    dearest_credits: Math.max(1, ...Object.values(protocol.methods).map(({ credits }) => credits)),
    clock,
    rate,
    closers,
    onChange: () => {
      for (const listener of listeners) listener.recheckKeys();
    },
    onStoreFailure: (error) => logger.warn({ err: error }, 'the store failed'),
    onStoreOperation: ({ name: operation, ...ended }) =>
      metrics.onStoreOperation({ operation, ...ended }),
  });
  const sites = new Map<string, Site>();
  metrics.read({
    upstreams: () => [...networks].map(([name, network]) => [name, network.status()] as const),
    callsInFlight: () => [...sites].map(([name, { rpc }]) => [rpc.callsInFlight(), name] as const),
    ledger: () => ledger.figures,
    isReady: () => reportReadiness(readiness).isReady,
  });
  await Promise.all([...networks.values()].map((network) => network.start()));
  const shared: Shared = {
    protocol,
    limits,
    clock,
    index,
    ledger,
    metrics,
    logger,
    tracing,
    errors: createErrors(protocol.errors),
    rate,
    compression: openCompression(config.compression, limits),
    nextRequestId: createRequestIds(dependencies.instance),
    isDraining: () => readiness.phase === 'draining',
  };
  closers.add(async () => {
    await Promise.all(listeners.map((listener) => listener.close(limits.drain_ms)));
  });
  const running: RunningNetwork[] = [];
  for (const { name, family, listen: address } of config.networks) {
    const monitor = watchContract(name, { protocol, share: config.monitorShare, metrics, logger });
    closers.add(() => monitor.stop());
    const site = openSite(name, { family, network: networks.get(name)!, monitor }, shared);
    sites.set(name, site);
    const setting = dependencies.portSetting(name);
    const listener = await explained(listen(site, address), { ...address, setting });
    listeners.push(listener);
    const authority = authorityOf(address.host, listener.port);
    running.push({ name, family, http: `http://${authority}`, ws: `ws://${authority}` });
  }
  const docs = await openDocs(config, { running, dependencies, closers });
  readiness.phase = 'serving';
  return {
    networks: running,
    ops: `http://${authorityOf(config.ops.host, ops.port)}/`,
    docs,
    stop() {
      readiness.phase = 'draining';
      return closers.closeAll();
    },
  };
}

async function openDocs(
  { docs: address }: Config,
  {
    running,
    dependencies,
    closers,
  }: {
    running: readonly RunningNetwork[];
    dependencies: GatewayDependencies;
    closers: Closers;
  },
): Promise<string | undefined> {
  if (address === undefined) return undefined;
  const { protocol, demoKey, portSetting } = dependencies;
  const { title, version } = protocol;
  const key = demoKey ?? '<API_KEY>';
  const networks = running.map(({ http, ws, ...network }) => ({
    ...network,
    http: `${http}/v3/${key}`,
    ws: `${ws}/ws/v3/${key}`,
  }));
  const content = {
    title,
    version,
    methods: Object.values(protocol.methods),
    networks,
    demoKey,
  };
  const server = await explained(serveDocs(address, content, protocol.document), {
    ...address,
    setting: portSetting('docs'),
  });
  closers.add(() => server.close());
  return `http://${authorityOf(address.host, server.port)}/`;
}

/** Defaults, then what the document says, then what the operator set. */
function limitsFor(config: Config, { limits }: Protocol): Limits {
  const set = Object.entries(config.limits).filter(([, value]) => value !== undefined);
  const described = { request_bytes: limits.requestBytes, batch_calls: limits.batchCalls };
  const chosen = Object.fromEntries(set) as Partial<Limits>;
  return Object.freeze({ ...defaultLimits, ...described, ...chosen });
}

function fitness(networks: ReadonlyMap<string, Network>): Record<string, boolean> {
  return Object.fromEntries(
    [...networks].map(([name, network]) => [name, network.head() !== undefined]),
  );
}

async function explained<T>(
  listening: Promise<T>,
  address: { host: string; port: number; setting: string },
): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    throw explainListening(error, address);
  }
}

function authorityOf(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Spans that are lost are no reason to stop badly. */
async function flushed(tracing: Tracing, logger: Logger): Promise<void> {
  try {
    await tracing.flush();
  } catch (error) {
    logger.warn({ err: error }, 'spans could not be handed over');
  }
}
