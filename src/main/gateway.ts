import { RateLimit } from '../credits/rate-limit.ts';
import { createErrors } from '../errors/catalog.ts';
import { AccountCounts } from '../gateway/account-limits.ts';
import { createMetrics, type Metrics } from '../ops/metrics.ts';
import {
  type Operations,
  reportReadiness,
  type Phase,
  type ReadinessReport,
} from '../ops/operations.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import { createRequestIds } from '../transport/request-ids.ts';
import { ByteBudget } from '../transport/byte-budget.ts';
import { MessageTurns } from '../time/message-turns.ts';
import { UnsentAnswers } from '../transport/unsent-answers.ts';
import { openAccountStore, type AccountStore } from './account-store.ts';
import { describeNetwork, type ServedAddresses } from './addresses.ts';
import { ConfigSwap, limitsFor, type PreparedConfig, type RuntimeNetwork } from './config-swap.ts';
import type { GatewayDependencies } from './dependencies.ts';
import { openDocs, openOperations } from './docs-and-ops.ts';
import { startOrClose, type Closers } from './lifecycle.ts';
import { Listeners } from './listeners.ts';
import type { LoadedConfig } from './load-config.ts';
import type { Logger } from './logger.ts';

export interface Gateway extends ServedAddresses {
  readonly operations: Operations;
  /**
   * Opens a new configuration alongside the current one.
   * @throws StartError, with nothing new left open, if it cannot be served
   */
  prepare(loaded: LoadedConfig): Promise<PreparedConfig>;
  /** Writes the plans and accounts of a configuration to the store. */
  seed(loaded: LoadedConfig): Promise<void>;
  /** Completes accepted calls within the drain time, then closes everything. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway; resolves when it serves calls.
 * @throws StartError, with nothing left open, if it cannot start
 */
export function startGateway(
  loaded: LoadedConfig,
  dependencies: GatewayDependencies,
): Promise<Gateway> {
  return startOrClose((closers) => start(loaded, { ...dependencies, closers }));
}

type StartDependencies = GatewayDependencies & { readonly closers: Closers };

/** The parts of a gateway that have started so far. */
interface Parts {
  phase: Phase;
  accounts?: AccountStore;
  swap?: ConfigSwap;
}

async function start(loaded: LoadedConfig, dependencies: StartDependencies): Promise<Gateway> {
  const { protocol, logger, clock, tracing, portSetting, isWorker, closers } = dependencies;
  const { config } = loaded;
  if (tracing !== undefined) closers.add(() => flushSpans(tracing, logger));
  const parts: Parts = { phase: 'starting' };
  const limits = limitsFor(config, protocol);
  const currentLimits = (): typeof limits => parts.swap?.current.limits ?? limits;
  const unsent = new UnsentAnswers(currentLimits);
  const heldBytes = new ByteBudget(currentLimits);
  const metrics = createMetricsOf(parts, unsent, heldBytes);
  const operations = {
    readiness: () => readinessOf(parts),
    metrics: () => metrics.render(),
  };
  // Opened first, so that health checks get a response during the start.
  const ops =
    isWorker === true ? undefined : await openOperations(config.ops, operations, dependencies);
  const listeners = new Listeners(portSetting);
  const rate = new RateLimit(() => clock.monotonic_ms());
  const onChange = (): void => listeners.recheckKeys();
  const opening = { ...dependencies, limits, rate, metrics, onChange };
  const accounts = await openAccountStore(config, opening);
  parts.accounts = accounts;
  const shared = {
    ...dependencies,
    index: accounts.index,
    ledger: accounts.ledger,
    rate,
    metrics,
    unsent,
    heldBytes,
    turns: new MessageTurns(() => clock.monotonic_ms()),
    errors: createErrors(protocol.errors),
    callsInFlight: new AccountCounts(),
    connections: new AccountCounts(),
    nextRequestId: createRequestIds(dependencies.instance),
    isDraining: () => parts.phase === 'draining',
  };
  const swap = await ConfigSwap.start(loaded, shared, listeners);
  closers.add(() => swap.stop());
  parts.swap = swap;
  const networks = config.networks.map((network) =>
    describeNetwork(network, listeners.portOf(network)),
  );
  const docs = await openDocs(config, networks, shared);
  parts.phase = 'serving';
  return {
    networks,
    ops,
    docs,
    operations,
    prepare: (next) => swap.prepare(next),
    seed: (next) => accounts.seed(next.config),
    stop() {
      parts.phase = 'draining';
      return closers.closeAll();
    },
  };
}

function createMetricsOf(parts: Parts, unsent: UnsentAnswers, heldBytes: ByteBudget): Metrics {
  return createMetrics({
    upstreams: () =>
      networksOf(parts).map(([name, { opened }]) => [name, opened.network.status()] as const),
    caches: () =>
      networksOf(parts).map(([name, { opened }]) => [name, opened.network.cache()] as const),
    callsInFlight: () =>
      networksOf(parts).map(([name, { service }]) => [service.rpc.callsInFlight(), name] as const),
    ledger: () => parts.accounts?.ledger.figures,
    unsent: () => [
      [unsent.bytes - unsent.anonymousBytes, 'accounts'],
      [unsent.anonymousBytes, 'anonymous'],
    ],
    heldBytes: () => [[heldBytes.bytes]],
    isReady: () => readinessOf(parts).isReady,
  });
}

function readinessOf(parts: Parts): ReadinessReport {
  return reportReadiness({
    phase: parts.phase,
    networks: Object.fromEntries(
      networksOf(parts).map(([name, { opened }]) => [name, opened.network.isAvailable()]),
    ),
    isStoreUnavailable: parts.accounts?.isUnavailable() ?? false,
    hasCredits: parts.accounts?.ledger.hasCredits ?? false,
  });
}

function networksOf({ swap }: Parts): (readonly [string, RuntimeNetwork])[] {
  return [...(swap?.current.networks ?? [])];
}

/** Never rejects: losing spans does not make the shutdown fail. */
async function flushSpans(tracing: Tracing, logger: Logger): Promise<void> {
  try {
    await tracing.flush();
  } catch (error) {
    logger.warn({ err: error }, 'failed to export the last spans');
  }
}
