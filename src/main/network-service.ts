import { createHash } from 'node:crypto';
import type { Caller } from '../auth/caller.ts';
import type { KeyIndex } from '../auth/key-index.ts';
import type { Limits } from '../config/limits.ts';
import type { NetworkConfig } from '../config/schema.ts';
import type { Ledger } from '../credits/ledger.ts';
import type { RateLimit } from '../credits/rate-limit.ts';
import type { ErrorCatalog } from '../errors/catalog.ts';
import {
  callsInFlightOf,
  connectionsOf,
  withCallLimit,
  type AccountCounts,
} from '../gateway/account-limits.ts';
import { createAccountService, throttle } from '../gateway/account-service.ts';
import { authorizeCall, createAuthenticator, FORWARDED_HEADER } from '../gateway/authenticator.ts';
import { createGatewayBackend } from '../gateway/backend.ts';
import { methodTable } from '../gateway/method-table.ts';
import { describeOtherFamily } from '../gateway/other-family.ts';
import type { Protocol } from '../gateway/protocol.ts';
import { handleServiceMethods, serviceMethods } from '../gateway/service-methods.ts';
import { createMonitor, type Monitor, withMonitor } from '../monitor/monitor.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { CallEvent } from '../rpc/answer-call.ts';
import { createRpc } from '../rpc/core.ts';
import type { Clock } from '../time/clock.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import type { Compression } from '../transport/compression.ts';
import { readRoute } from '../transport/route.ts';
import type { NetworkService } from '../transport/network-service.ts';
import type { ByteBudget } from '../transport/byte-budget.ts';
import type { MessageTurns } from '../time/message-turns.ts';
import type { UnsentAnswers } from '../transport/unsent-answers.ts';
import { createNetwork, type Network } from '../upstream/network.ts';
import { openUpstream } from '../upstream/open-upstream.ts';
import type { NodeConfig } from '../upstream/upstream-node.ts';
import { redactJson, secretsOf } from '../upstream/with-redaction.ts';
import { cacheRules } from './cache-rules.ts';
import { describeNetworkDocument } from './network-document.ts';
import { logUpstreamEvent, type Logger } from './logger.ts';

/** What all networks share, and what stays when the configuration is replaced. */
export interface SharedDependencies {
  readonly protocol: Protocol;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined when calls are not traced. */
  readonly tracing?: Tracing | undefined;
  readonly errors: ErrorCatalog;
  readonly index: KeyIndex;
  readonly ledger: Ledger;
  readonly rate: RateLimit;
  /** Per account, over all networks of this process. */
  readonly callsInFlight: AccountCounts;
  readonly connections: AccountCounts;
  readonly metrics: Metrics;
  readonly unsent: UnsentAnswers;
  readonly heldBytes: ByteBudget;
  readonly turns: MessageTurns;
  readonly nextRequestId: () => string;
  readonly isDraining: () => boolean;
}

export interface OpenNetwork {
  readonly network: Network;
  /** Why upstreams are unhealthy, by name. */
  readonly unhealthy: ReadonlyMap<string, string>;
}

/** Opens the upstreams of a network, with their events going to the log and the metrics. */
export function openNetwork(
  config: NetworkConfig,
  limits: Limits,
  { protocol, metrics, logger, clock, turns }: SharedDependencies,
): OpenNetwork {
  const { name, family, identity, upstreams, partner, lagBlocks, hedgeAfterMs, cacheServer } =
    config;
  const open = (
    config: NetworkConfig['upstreams'][number],
    defaultName: string,
    marks: Readonly<Record<string, string>> = {},
  ): NodeConfig => {
    const { weight, tier, callsInFlight, budget, url, compression = true, batch = 'auto' } = config;
    const { callsPerSecond, burst, callsPerDay } = budget;
    const headers = { ...config.headers, ...marks };
    return {
      name: config.name ?? defaultName,
      weight,
      tier,
      ...(callsInFlight && { callsInFlight }),
      budget: {
        ...(callsPerSecond && { callsPerSecond }),
        ...(burst && { burst }),
        ...(callsPerDay && { callsPerDay }),
      },
      upstream: openUpstream(
        { url: new URL(url), headers, compression, batch, isLimited: callsInFlight !== undefined },
        { limits, clock, turns },
      ),
    };
  };
  const unhealthy = new Map<string, string>();
  const network = createNetwork({
    family,
    identity,
    upstreams: upstreams.map((each, index) => open(each, `upstream-${index + 1}`)),
    ...(partner && { partner: open(partner, 'partner', { [FORWARDED_HEADER]: '1' }) }),
    ...(lagBlocks && { lag_blocks: lagBlocks }),
    ...(hedgeAfterMs && { hedge_after_ms: hedgeAfterMs }),
    blockParams: Object.fromEntries(
      Object.values(protocol.methods).map((method) => [method.name, method.blocks]),
    ),
    cacheRules: cacheRules(config, protocol),
    ...(cacheServer && {
      cacheServer: { url: cacheServer, chain: `${name}:${identity ?? ''}` },
    }),
    limits,
    clock,
    observe(event) {
      if (event.kind === 'health') {
        if (event.isHealthy) unhealthy.delete(event.upstream);
        else unhealthy.set(event.upstream, event.detail);
      }
      metrics.onUpstreamEvent(name, event);
      logUpstreamEvent(name, event, logger);
    },
  });
  return { network, unhealthy };
}

/** A network to serve, with the settings of one configuration. */
interface NetworkServiceOptions extends Pick<NetworkConfig, 'name' | 'family' | 'publicUrl'> {
  /** Whether the service methods of the family are served. */
  readonly serviceMethods: boolean;
  /** All networks of the configuration. */
  readonly networks: readonly Pick<NetworkConfig, 'name' | 'family'>[];
  readonly network: Network;
  /** Names of the plans with request forwarding. */
  readonly forwardingPlans: readonly string[];
  readonly monitor: Monitor;
  readonly limits: Limits;
  /** Undefined when responses are not compressed. */
  readonly compression: Compression | undefined;
}

/** Connects transport, RPC core, gateway and upstreams for one network. */
export function createNetworkService(
  options: NetworkServiceOptions,
  shared: SharedDependencies,
): NetworkService {
  const { name, limits, compression } = options;
  const { protocol, errors, clock, index, ledger, rate, connections, unsent, heldBytes } = shared;
  const { family, serviceMethods: served } = options;
  const methods = new Map([
    ...methodTable(protocol, family),
    ...serviceMethods(protocol, { family, served }),
  ]);
  const { publicUrl } = options;
  const offers = (method: string): boolean => methods.has(method);
  const document = Buffer.from(
    describeNetworkDocument(protocol.document, { name, offers, publicUrl }),
  );
  const now_ms = (): number => clock.now_ms();
  const observer = createObserver(name, shared);
  return {
    readRoute,
    rpc: createNetworkRpc(options, { methods, document, onError: observer.onError }, shared),
    errors,
    authenticator: createAuthenticator(index, { network: name, errors, now_ms }),
    accounts: createAccountService({
      ledger,
      rate,
      errors,
      connections,
      connectionsOf: (caller) => connectionsOf(caller, limits),
      now_ms,
    }),
    document,
    documentTag: `"${createHash('sha256').update(document).digest('base64url')}"`,
    compression,
    unsent,
    heldBytes,
    turns: shared.turns,
    nextRequestId: shared.nextRequestId,
    isDraining: shared.isDraining,
    limits,
    observer,
  };
}

function createNetworkRpc(
  { name, family, networks, network, monitor, limits, forwardingPlans }: NetworkServiceOptions,
  {
    methods,
    document,
    onError,
  }: Pick<NetworkService, 'document'> &
    Pick<NetworkService['observer'], 'onError'> & {
      readonly methods: ReturnType<typeof methodTable>;
    },
  shared: SharedDependencies,
): NetworkService['rpc'] {
  const { protocol, errors, clock, ledger, rate, callsInFlight, metrics, tracing } = shared;
  const backend = createGatewayBackend({
    upstream: withMonitor(network.stream, monitor),
    head: () => network.head(),
    ledger,
    errors,
    onUncanceled: (accountId, ended) => callsInFlight.addUntil(accountId, ended),
    response_bytes: limits.response_bytes,
    stream_bytes: limits.stream_bytes,
    forwardingPlans,
  });
  const limited = withCallLimit(backend, {
    calls: callsInFlight,
    limitOf: (caller) => callsInFlightOf(caller, limits),
    errors,
  });
  const facts = {
    document,
    version: protocol.version,
    identity: () => network.identity(),
    head: () => network.head(),
  };
  return createRpc({
    methods,
    backend: handleServiceMethods(limited, facts, errors),
    describeMethod: describeOtherFamily(protocol, { family, networks }),
    errors,
    throttle: (caller: Caller) => throttle({ rate, errors }, caller),
    param_values: limits.param_values,
    param_name_bytes: limits.param_name_bytes,
    admit: (caller: Caller, { method, params }) =>
      authorizeCall(errors, caller, { method, params }),
    limits,
    monotonic_ms: () => clock.monotonic_ms(),
    trace:
      tracing && ((start, { keyId }: Caller) => tracing.start({ ...start, network: name, keyId })),
    observe: (event) => recordCall(name, event, shared),
    onBatch: (calls) => metrics.onBatch(name, calls),
    onError,
  });
}

/** Counts each call, and logs it at debug; keys appear by id only. */
function recordCall(
  network: string,
  event: CallEvent<Caller>,
  { metrics, logger }: SharedDependencies,
): void {
  metrics.onCall({ network, ...event });
  if (!logger.isLevelEnabled('debug')) return;
  const { caller, method, outcome, credits, requestId } = event;
  const { accountId, keyId } = caller;
  const duration_ms = Math.round(event.duration_ms * 1000) / 1000;
  logger.debug(
    { network, method, outcome, credits, duration_ms, requestId, accountId, keyId },
    'call',
  );
}

function createObserver(
  network: string,
  { metrics, logger }: SharedDependencies,
): NetworkService['observer'] {
  return {
    onConnection: (transport, change) => metrics.onConnection(network, transport, change),
    onRefusal({ reason }, requestId, caller) {
      metrics.onRefusal(network, reason);
      logger.debug({ network, requestId, reason, keyId: caller?.keyId }, 'request rejected');
    },
    onCut(cause) {
      metrics.onCut(network, cause);
      logger.debug({ network, cause }, 'connection cut');
    },
    onError: (error, requestId) =>
      logger.error({ network, requestId, err: error }, 'internal error'),
  };
}

/** Checks a share (0 to 1) of a network's results against the document; counts and logs violations. */
export function monitorResults(
  { name: network, upstreams, partner }: NetworkConfig,
  share: number,
  { protocol, metrics, logger }: SharedDependencies,
): Monitor {
  const secrets = [...upstreams, ...(partner === undefined ? [] : [partner])].flatMap(
    ({ url, headers }) => secretsOf(new URL(url), headers),
  );
  return createMonitor({
    checks: protocol.validateResult,
    share,
    redact: (result) => redactJson(result, secrets),
    observe(event) {
      const { kind, method, upstream } = event;
      metrics.onContractCheck(network, upstream, kind);
      if (event.kind !== 'violation' || event.isRepeat) return;
      const { violations } = event;
      logger.warn({ network, upstream, method, violations }, 'result violates the document');
    },
  });
}
