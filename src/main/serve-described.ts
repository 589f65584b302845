import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { errors as errorRows } from '../../generated/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { defaultLimits } from '../config/limits.ts';
import { toFrontRows } from '../described/front-rows.ts';
import type { DescribedService } from '../described/service.ts';
import { createErrors, type ErrorCatalog } from '../errors/catalog.ts';
import { err, ok, PASSED } from '../errors/result.ts';
import type { Method } from '../rpc/call.ts';
import { createRpc, type RpcOptions } from '../rpc/core.ts';
import { systemClock } from '../time/clock.ts';
import { listen, type ListenAddress } from '../transport/listen.ts';
import { createRequestIds } from '../transport/request-ids.ts';
import { readOpenRoute } from '../transport/route.ts';
import type { NetworkService, ServiceObserver } from '../transport/network-service.ts';
import { UnsentAnswers } from '../transport/unsent-answers.ts';
import { authorityOf } from './addresses.ts';
import { explained } from './start-error.ts';

/** A service without keys that is being served. */
export interface DescribedServer {
  readonly http: string;
  readonly ws: string;
  stop(): Promise<void>;
}

/** Calls under way when it is stopped are waited for so long. */
const DRAIN_MS = 5_000;

/** Errors of the strict front; the gateway's own are those of JSON-RPC and HTTP as well. */
export const frontErrors: ErrorCatalog = createErrors(toFrontRows(errorRows));

export interface DescribedOptions<M extends Method, C extends Caller> extends Pick<
  RpcOptions<M, C>,
  'methods' | 'backend' | 'observe' | 'notify'
> {
  /** Who calls, by the headers of a request or an upgrade. */
  readonly toCaller: (headers: IncomingHttpHeaders) => C;
  readonly onFault: ServiceObserver['onError'];
}

/**
 * Serves a document's methods at any path of an address, by HTTP and by WebSocket, to anyone, behind
 * the envelope, limits and edges of the gateway. Throws StartError when it cannot be had.
 */
export async function serveDescribed<M extends Method, C extends Caller>(
  { document }: Pick<DescribedService, 'document'>,
  options: DescribedOptions<M, C>,
  address: ListenAddress,
): Promise<DescribedServer> {
  const { toCaller, onFault, ...rpcOptions } = options;
  let isDraining = false;
  const bytes = Buffer.from(document);
  const service: NetworkService = {
    readRoute: readOpenRoute,
    rpc: createRpc({
      ...rpcOptions,
      errors: frontErrors,
      limits: defaultLimits,
      monotonic_ms: () => systemClock.monotonic_ms(),
      onError: onFault,
    }),
    errors: frontErrors,
    authenticator: {
      authenticate: (_key, headers) =>
        ok({ caller: toCaller(headers), keyHash: '', origin: undefined }),
      isKey: () => false,
      recheck: ({ caller }) => ok(caller),
    },
    accounts: {
      take: () => PASSED,
      connect: () => ok(() => undefined),
      balance: () => undefined,
      usage: () => Promise.resolve(err(frontErrors.fail('unknown_path'))),
    },
    document: bytes,
    documentTag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    compression: undefined,
    unsent: new UnsentAnswers(() => defaultLimits),
    nextRequestId: createRequestIds('described'),
    isDraining: () => isDraining,
    limits: defaultLimits,
    observer: {
      onConnection: () => undefined,
      onRefusal: () => undefined,
      onCut: () => undefined,
      onError: onFault,
    },
  };
  const networks = [{ name: 'described', service, hostNames: [] }];
  const listener = await explained(listen({ networks }, address), {
    ...address,
    setting: '--port',
  });
  const authority = authorityOf(address.host, listener.port);
  return {
    http: `http://${authority}/`,
    ws: `ws://${authority}/`,
    stop() {
      isDraining = true;
      return listener.close(DRAIN_MS);
    },
  };
}

const everything = {
  methods: undefined,
  networks: undefined,
  origins: undefined,
  contracts: undefined,
};

/** There are no keys, so nobody is restricted. */
export const anyone: Caller = {
  keyId: '',
  accountId: '',
  plan: '',
  creditsPerDay: 0,
  callsPerSecond: 0,
  forwarding: false,
  allowed: everything,
  expiresAt_ms: null,
};
