import { createHash } from 'node:crypto';
import type { Caller } from '../auth/caller.ts';
import type { KeyIndex } from '../auth/key-index.ts';
import type { Limits } from '../config/limits.ts';
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
import { authorizeCall, createAuthenticator } from '../gateway/authenticator.ts';
import { createGatewayBackend } from '../gateway/backend.ts';
import { answerDiscovery, withDiscovery } from '../gateway/discover.ts';
import { methodTable } from '../gateway/method-table.ts';
import type { Protocol } from '../gateway/protocol.ts';
import type { Monitor } from '../monitor/monitor.ts';
import { withMonitor } from '../monitor/with-monitor.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { CallEvent } from '../rpc/answer-call.ts';
import { createRpc } from '../rpc/core.ts';
import type { Clock } from '../time/clock.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import type { Compression } from '../transport/compression.ts';
import type { UnsentAnswers } from '../transport/unsent-answers.ts';
import { readRoute } from '../transport/route.ts';
import type { NetworkService } from '../transport/network-service.ts';
import type { Network } from '../upstream/network.ts';
import type { Logger } from './logger.ts';

/** What the sites of a gateway have in common. */
export interface Shared {
  readonly protocol: Protocol;
  readonly errors: ErrorCatalog;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly index: KeyIndex;
  readonly ledger: Ledger;
  readonly rate: RateLimit;
  /** Of each account, over all networks of this process. */
  readonly callsInFlight: AccountCounts;
  readonly connections: AccountCounts;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly compression: Compression | undefined;
  readonly unsent: UnsentAnswers;
  /** Absent when nobody follows calls. */
  readonly tracing: Tracing | undefined;
  readonly nextRequestId: () => string;
  readonly isDraining: () => boolean;
}

/** A network, and who watches its results. */
export interface Served {
  readonly family: string;
  readonly network: Network;
  readonly monitor: Monitor;
}

/** Puts the rooms together for one network. */
export function openSite(
  name: string,
  { family, network, monitor }: Served,
  shared: Shared,
): NetworkService {
  const { protocol, errors, limits, clock, index, ledger, rate, metrics, logger, tracing } = shared;
  const document = Buffer.from(protocol.document);
  const onFault = (fault: unknown, requestId: string): void => {
    logger.error({ network: name, requestId, err: fault }, 'a fault of the gateway');
  };
  const backend = createGatewayBackend({
    upstream: withMonitor(network.stream, monitor),
    head: () => network.head(),
    ledger,
    errors,
    response_bytes: limits.response_bytes,
    stream_bytes: limits.stream_bytes,
  });
  const limited = withCallLimit(backend, {
    calls: shared.callsInFlight,
    limitOf: (caller) => callsInFlightOf(caller, limits),
    errors,
  });
  const rpc = createRpc({
    methods: withDiscovery(methodTable(protocol, family)),
    backend: answerDiscovery(limited, document),
    errors,
    throttle: (caller: Caller) => throttle({ rate, errors }, caller),
    admit: (caller: Caller, { method, params }) =>
      authorizeCall(errors, caller, { entry: method.entry, params }),
    limits,
    monotonic_ms: () => clock.monotonic_ms(),
    trace:
      tracing && ((start, { keyId }: Caller) => tracing.start({ ...start, network: name, keyId })),
    observe: (event) => record(name, event, shared),
    onBatch: (calls) => metrics.onBatch(name, calls),
    onError: onFault,
  });
  return {
    readRoute,
    rpc,
    errors,
    authenticator: createAuthenticator(index, {
      network: name,
      errors,
      now_ms: () => clock.now_ms(),
    }),
    accounts: createAccountService({
      ledger,
      rate,
      errors,
      connections: shared.connections,
      connectionsOf: (caller) => connectionsOf(caller, limits),
      now_ms: () => clock.now_ms(),
    }),
    document,
    documentTag: `"${createHash('sha256').update(document).digest('base64url')}"`,
    compression: shared.compression,
    unsent: shared.unsent,
    nextRequestId: shared.nextRequestId,
    isDraining: shared.isDraining,
    limits,
    observer: {
      onConnection: (transport, change) => metrics.onConnection(name, transport, change),
      onRefusal: (error, requestId, caller) => {
        metrics.onRefusal(name, error.reason);
        logger.debug(
          { network: name, requestId, reason: error.reason, keyId: caller?.keyId },
          'a request was refused',
        );
      },
      onCut(cause) {
        metrics.onCut(name, cause);
        logger.debug({ network: name, cause }, 'a connection was cut');
      },
      onError: onFault,
    },
  };
}

/** One line a call at debug. The key is named by its id, never shown. */
function record(network: string, event: CallEvent<Caller>, { metrics, logger }: Shared): void {
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
