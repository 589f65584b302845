import type { Config, NetworkConfig } from '../config/schema.ts';
import { RateLimit } from '../credits/rate-limit.ts';
import { createErrors } from '../errors/catalog.ts';
import { AccountCounts } from '../gateway/account-limits.ts';
import { createMetrics } from '../ops/metrics.ts';
import { serveOperations, type Operations } from '../ops/operations.ts';
import { reportReadiness, type Readiness } from '../ops/readiness.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import { createRequestIds } from '../transport/request-ids.ts';
import { UnsentAnswers } from '../transport/unsent-answers.ts';
import type { Network } from '../upstream/network.ts';
import { authorityOf, keyOf } from './addresses.ts';
import { Closers } from './closers.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { Listeners } from './listeners.ts';
import type { LoadedConfig } from './load-config.ts';
import { limitsFor } from './limits-for.ts';
import type { Logger } from './logger.ts';
import { openBooks } from './open-books.ts';
import { openDocs } from './open-docs.ts';
import { mergePlans } from './plans.ts';
import type { RunningGateway, RunningNetwork } from './running-gateway.ts';
import { Succession } from './succession.ts';
import { explained } from './start-error.ts';

/**
 * Starts everything a configuration asks for; resolves when callers are served. Throws StartError
 * when that cannot be, with nothing left open.
 */
export async function startGateway(
  loaded: LoadedConfig,
  dependencies: GatewayDependencies,
): Promise<RunningGateway> {
  const closers = new Closers();
  try {
    return await open(loaded, dependencies, closers);
  } catch (error) {
    await closers.closeAll().catch(() => undefined);
    throw error;
  }
}

async function open(
  loaded: LoadedConfig,
  dependencies: GatewayDependencies,
  closers: Closers,
): Promise<RunningGateway> {
  const { protocol, logger, clock, tracing } = dependencies;
  if (tracing !== undefined) closers.add(() => flushed(tracing, logger));
  const { config } = loaded;
  const metrics = createMetrics();
  // Empty until the first configuration is served.
  const served: { succession?: Succession } = {};
  const networks = (): [string, Network][] =>
    [...(served.succession?.current.networks ?? [])].map(([name, { opened }]) => [
      name,
      opened.network,
    ]);
  const readiness: Readiness = {
    phase: 'starting',
    networks: () =>
      Object.fromEntries(networks().map(([name, { head }]) => [name, head() !== undefined])),
    isStoreOut: () => false,
  };
  const operations: Operations = {
    readiness: () => reportReadiness(readiness),
    metrics: () => metrics.render(),
  };
  const ops = await openOperations(config.ops, { operations, dependencies, closers });
  const limits = limitsFor(config, protocol);
  const unsent = new UnsentAnswers(() => served.succession?.current.limits ?? limits);
  const listeners = new Listeners(dependencies.portSetting);
  const rate = new RateLimit(() => clock.monotonic_ms());
  const { index, ledger, isStoreOut, seed } = await openBooks(config, {
    plans: mergePlans(protocol.plans, config.plans),
    limits,
    dearest_credits: Math.max(1, ...Object.values(protocol.methods).map(({ credits }) => credits)),
    clock,
    rate,
    closers,
    onChange: () => listeners.recheckKeys(),
    onStoreFailure: (error) => logger.warn({ err: error }, 'the store failed'),
    onStoreOperation: ({ name: operation, ...ended }) =>
      metrics.onStoreOperation({ operation, ...ended }),
  });
  readiness.isStoreOut = isStoreOut;
  metrics.read({
    upstreams: () => networks().map(([name, network]) => [name, network.status()] as const),
    callsInFlight: () =>
      [...(served.succession?.current.networks ?? [])].map(
        ([name, { site }]) => [site.rpc.callsInFlight(), name] as const,
      ),
    ledger: () => ledger.figures,
    unsent: () => [
      [unsent.bytes - unsent.anonymousBytes, 'accounts'],
      [unsent.anonymousBytes, 'anonymous'],
    ],
    isReady: () => reportReadiness(readiness).isReady,
  });
  const begun = await Succession.begin(
    loaded,
    {
      protocol,
      clock,
      index,
      ledger,
      metrics,
      logger,
      tracing,
      errors: createErrors(protocol.errors),
      rate,
      callsInFlight: new AccountCounts(),
      connections: new AccountCounts(),
      unsent,
      nextRequestId: createRequestIds(dependencies.instance),
      isDraining: () => readiness.phase === 'draining',
      blockParams: Object.fromEntries(
        Object.values(protocol.methods).map(({ name, blocks }) => [name, blocks]),
      ),
    },
    listeners,
  );
  served.succession = begun;
  closers.add(() => begun.end());
  const running = config.networks.map((network) => describeNetwork(network, listeners));
  const docs = await openDocs(config, { running, dependencies, closers });
  readiness.phase = 'serving';
  return {
    networks: running,
    ops,
    docs,
    operations,
    prepare: (next) => begun.prepare(next),
    seed: ({ config: { plans, accounts } }) => seed(mergePlans(protocol.plans, plans), accounts),
    stop() {
      readiness.phase = 'draining';
      return closers.closeAll();
    },
  };
}

async function openOperations(
  address: Config['ops'],
  {
    operations,
    dependencies,
    closers,
  }: {
    readonly operations: Operations;
    readonly dependencies: GatewayDependencies;
    readonly closers: Closers;
  },
): Promise<string | undefined> {
  if (dependencies.isOperatedElsewhere === true) return undefined;
  const setting = dependencies.portSetting('ops');
  const ops = await explained(serveOperations(address, operations), { ...address, setting });
  closers.add(() => ops.close());
  return `http://${authorityOf(address.host, ops.port)}/`;
}

function describeNetwork(network: NetworkConfig, listeners: Listeners): RunningNetwork {
  const { name, family, listen, hostNames } = network;
  const port = listeners.portOf({ key: keyOf(network), port: listen.port });
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

/** Spans that are lost are no reason to stop badly. */
async function flushed(tracing: Tracing, logger: Logger): Promise<void> {
  try {
    await tracing.flush();
  } catch (error) {
    logger.warn({ err: error }, 'spans could not be handed over');
  }
}
