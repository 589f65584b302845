import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { errors as errorRows } from '../../generated/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { defaultLimits } from '../config/limits.ts';
import type { DescribedService } from '../described/service.ts';
import { createErrors, type ErrorCatalog, type ErrorRow } from '../errors/catalog.ts';
import { err, ok, PASSED } from '../errors/result.ts';
import type { Method } from '../rpc/call.ts';
import { createRpc, type RpcOptions } from '../rpc/core.ts';
import { systemClock } from '../time/clock.ts';
import { listen, type ListenAddress } from '../transport/listen.ts';
import { createRequestIds } from '../transport/request-ids.ts';
import { readOpenRoute } from '../transport/route.ts';
import type { NetworkService } from '../transport/network-service.ts';
import { ByteBudget } from '../transport/byte-budget.ts';
import { MessageTurns } from '../time/message-turns.ts';
import { UnsentAnswers } from '../transport/unsent-answers.ts';
import { authorityOf } from './addresses.ts';
import { runUntilSignal } from './lifecycle.ts';
import { createLogger } from './logger.ts';
import { explainListenError } from './start-error.ts';

/** A running mock or proxy. */
export interface DescribedServer {
  readonly http: string;
  readonly ws: string;
  stop(): Promise<void>;
}

/** How long a stop waits for calls in flight. */
const DRAIN_MS = 5_000;

/** Messages and fixes for servers of any kind, in place of those about networks and nodes. */
const SERVER_TEXTS: Readonly<Record<string, Partial<Pick<ErrorRow, 'message' | 'fix'>>>> = {
  method_not_found: { fix: 'Call rpc.discover for the methods of this server.' },
  upstream_timeout: {
    message: 'the server did not respond in time',
    fix: 'Try again; if the error persists, check whether the server is overloaded.',
  },
  origin_not_allowed: {
    message: 'web pages of this origin may not call the proxy',
    fix: 'Start the proxy with --allow-origin and the origin of the page.',
  },
  no_upstream: {
    message: 'server not reachable',
    fix: 'Start the server, or correct the address in --upstream.',
  },
  invalid_upstream_response: {
    message: 'invalid response from the server',
    fix: 'Correct the server, or its document.',
  },
};

/** Returns the error catalog with texts that fit any described service. */
export function withServerTexts(
  rows: Readonly<Record<string, ErrorRow>>,
): Readonly<Record<string, ErrorRow>> {
  const adapted = Object.entries(rows).map(([name, row]): [string, ErrorRow] => [
    name,
    { ...row, ...SERVER_TEXTS[row.reason ?? ''] },
  ]);
  return Object.fromEntries(adapted);
}

/** Errors of a mock or a proxy: the gateway's catalog, with texts that fit any server. */
export const describedErrors: ErrorCatalog = createErrors(withServerTexts(errorRows));

/** Runs a mock or a proxy until a signal; resolves to the exit code. */
export function runDescribed<T extends DescribedServer>(
  start: (onError: (error: unknown) => void) => Promise<T>,
  onStarted: (server: T) => void,
): Promise<number> {
  const logger = createLogger('warn');
  const onError = (error: unknown): void => logger.error({ err: error }, 'internal error');
  return runUntilSignal(() => start(onError), { logger, onStarted });
}

export interface DescribedOptions<M extends Method, C extends Caller> extends Pick<
  RpcOptions<M, C>,
  'methods' | 'backend' | 'observe' | 'notify'
> {
  /** Returns the caller from the headers of a request or an upgrade. */
  readonly toCaller: (headers: IncomingHttpHeaders) => C;
  /** Whether web pages of an origin may call; by default, all may. */
  readonly allowsOrigin?: (origin: string) => boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Serves the methods of a document over HTTP and WebSocket, at any path and without keys, with the
 * request checks and limits of the gateway.
 * @throws StartError if the address cannot be listened on
 */
export async function serveDescribed<M extends Method, C extends Caller>(
  { document }: Pick<DescribedService, 'document'>,
  options: DescribedOptions<M, C>,
  address: ListenAddress,
): Promise<DescribedServer> {
  const { toCaller, allowsOrigin = () => true, onError, ...rpcOptions } = options;
  let isDraining = false;
  const bytes = Buffer.from(document);
  const service: NetworkService = {
    readRoute: readOpenRoute,
    rpc: createRpc({
      ...rpcOptions,
      errors: describedErrors,
      limits: defaultLimits,
      monotonic_ms: () => systemClock.monotonic_ms(),
      onError,
    }),
    errors: describedErrors,
    authenticator: {
      authenticate: (_key, headers) =>
        headers.origin === undefined || allowsOrigin(headers.origin)
          ? ok({ caller: toCaller(headers), keyHash: '', origin: undefined, isForwarded: false })
          : err(describedErrors.fail('origin_not_allowed')),
      containsKey: () => false,
      recheck: ({ caller }) => ok(caller),
    },
    accounts: {
      take: () => PASSED,
      connect: () => ok(() => undefined),
      balance: () => undefined,
      usage: () => Promise.resolve(err(describedErrors.fail('unknown_path'))),
    },
    document: bytes,
    documentTag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    compression: undefined,
    unsent: new UnsentAnswers(() => defaultLimits),
    heldBytes: new ByteBudget(() => defaultLimits),
    turns: new MessageTurns(() => performance.now()),
    nextRequestId: createRequestIds('described'),
    isDraining: () => isDraining,
    limits: defaultLimits,
    observer: {
      onConnection: () => undefined,
      onRefusal: () => undefined,
      onCut: () => undefined,
      onError,
    },
  };
  const networks = [{ name: 'described', service, hostNames: [] }];
  const listener = await explainListenError(listen({ networks }, address), {
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

/** The caller of a service without keys: no restrictions. */
export const anyone: Caller = {
  keyId: '',
  accountId: '',
  plan: '',
  creditsPerDay: 0,
  callsPerSecond: 0,
  forwarding: false,
  allowed: { methods: undefined, networks: undefined, origins: undefined, contracts: undefined },
  expiresAt_ms: null,
};
