import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { hashKey } from '../../src/auth/hash-key.ts';
import { KeyIndex } from '../../src/auth/key-index.ts';
import { AccountCounts } from '../../src/gateway/account-limits.ts';
import { createAccountService } from '../../src/gateway/account-service.ts';
import { createAuthenticator } from '../../src/gateway/authenticator.ts';
import { readRoute } from '../../src/transport/route.ts';
import type { Key, Plan } from '../../src/store/records.ts';
import { listen, type Listener } from '../../src/transport/listen.ts';
import type { Compression } from '../../src/transport/compression.ts';
import { ByteBudget } from '../../src/transport/byte-budget.ts';
import { MessageTurns } from '../../src/time/message-turns.ts';
import { UnsentAnswers } from '../../src/transport/unsent-answers.ts';
import { createRequestIds } from '../../src/transport/request-ids.ts';
import type { NetworkService, TransportLimits } from '../../src/transport/network-service.ts';
import type { Upstream } from '../../src/upstream/upstream.ts';
import { coreOver, type CoreOptions } from '../gateway/support/gateway.ts';
import { protocol } from '../gateway/support/protocol.ts';
import { account, freePlan, keyRecord } from '../store/support.ts';

export const limits: TransportLimits = {
  request_bytes: 1_048_576,
  discarded_bytes: 4_000_000,
  http_headers_ms: 2_000,
  http_request_ms: 5_000,
  http_keep_alive_ms: 5_000,
  stream_idle_ms: 5_000,
  connections: 1_000,
  socket_calls_in_flight: 20,
  socket_pause_bytes: 100_000,
  http_pipelined: 32,
  http_refusals: 4,
  unsent_bytes: 50_000_000,
  unsent_account_bytes: 40_000_000,
  unsent_anonymous_bytes: 4_000_000,
  unsent_connection_bytes: 8_000_000,
  socket_heartbeat_ms: 60_000,
};

export const echo: Upstream = (call) => Promise.resolve({ kind: 'result', result: call.params });

export interface RunningNetwork {
  readonly listener: Listener;
  readonly httpUrl: string;
  readonly wsUrl: string;
  readonly index: KeyIndex;
  /** Replaces the record of key `demo`, as a change in the store would. */
  changeKey(change: Partial<Key>): void;
  drain(): void;
  readonly connections: Record<'http' | 'websocket', number>;
  readonly thrown: unknown[];
  /** Credits charged so far. */
  charged(): Promise<number>;
  /** What was refused as a whole. */
  readonly refusals: { readonly reason: string; readonly requestId: string }[];
  /** Why connections were cut. */
  readonly cuts: string[];
  readonly service: NetworkService;
  callsInFlight(): number;
}

export interface ServeOptions extends CoreOptions {
  readonly upstream?: Upstream;
  readonly plan?: Partial<Plan>;
  readonly key?: Partial<Key>;
  readonly limits?: Partial<TransportLimits>;
  readonly compression?: Compression;
  /** Connections an account may have. */
  readonly accountConnections?: number;
}

/** A network service and the events it reported. */
export interface TestNetwork extends Pick<
  RunningNetwork,
  'connections' | 'thrown' | 'refusals' | 'cuts' | 'index' | 'drain' | 'service' | 'callsInFlight'
> {
  readonly key: Key;
  charged(): Promise<number>;
}

/** A network without an address, key `demo`. */
export function networkOver(upstream: Upstream, options: ServeOptions = {}): TestNetwork {
  const { errors, rpc, ledger, rate, rows } = coreOver(upstream, options);
  const open = new AccountCounts();
  const connectionsOf = (): number => options.accountConnections ?? 1_000;
  const now_ms = options.now_ms ?? Date.now;
  const index = new KeyIndex();
  const key = keyRecord({ hash: hashKey('demo'), ...options.key });
  const plan = { ...freePlan, creditsPerDay: 1_000_000, callsPerSecond: 100_000, ...options.plan };
  index.apply({ revision: 1, plans: [plan], accounts: [account], keys: [key] });
  const connections = { http: 0, websocket: 0 };
  const thrown: unknown[] = [];
  const refusals: { reason: string; requestId: string }[] = [];
  const cuts: string[] = [];
  const networkLimits = { ...limits, ...options.limits };
  let isDraining = false;
  const service: NetworkService = {
    readRoute,
    rpc,
    errors,
    authenticator: createAuthenticator(index, { network: 'evm', errors, now_ms }),
    accounts: createAccountService({
      ledger,
      rate,
      errors,
      connections: open,
      connectionsOf,
      now_ms,
    }),
    document: Buffer.from(protocol.document),
    documentTag: '"tag"',
    compression: options.compression,
    unsent: new UnsentAnswers(() => networkLimits),
    heldBytes: new ByteBudget(() => networkLimits),
    turns: new MessageTurns(() => performance.now()),
    nextRequestId: createRequestIds('t'),
    isDraining: () => isDraining,
    limits: networkLimits,
    observer: {
      onConnection: (transport, change) => {
        connections[transport] += change;
      },
      onRefusal: ({ reason }, requestId) => refusals.push({ reason, requestId }),
      onCut: (cause) => cuts.push(cause),
      onError: (error) => thrown.push(error),
    },
  };
  return {
    service,
    key,
    index,
    connections,
    thrown,
    refusals,
    cuts,
    callsInFlight: () => rpc.callsInFlight(),
    async charged() {
      await ledger.flush();
      return rows.reduce((sum, { credits }) => sum + credits, 0);
    },
    drain: () => {
      isDraining = true;
    },
  };
}

/** A network on a free port, key `demo`. */
export async function serveNetwork(options: ServeOptions = {}): Promise<RunningNetwork> {
  const { key, ...network } = networkOver(options.upstream ?? echo, options);
  const networks = [{ name: 'evm', service: network.service, hostNames: [] }];
  const listener = await listen({ networks }, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listener.close(100));
  return {
    ...network,
    listener,
    httpUrl: `http://127.0.0.1:${listener.port}`,
    wsUrl: `ws://127.0.0.1:${listener.port}`,
    changeKey(change) {
      const keys = [{ ...key, ...change }];
      network.index.apply({ revision: 2, plans: [], accounts: [], keys });
      listener.recheckKeys();
    },
  };
}

export const call = (id: number | string = 1, details: unknown = true): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_getBlock', params: ['0x1', details] });

/** A call as the bytes of an HTTP request. */
export const post = (body: string, key = 'demo'): string =>
  `POST /v3/${key} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n` +
  `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The `error` of the body, when there is one. */
  readonly error?: { code: number; message: string; data: Record<string, unknown> };
  readonly body: unknown;
}

/** A request as clients send them; JSON by POST by default. */
export async function request(url: string, init: RequestInit = {}): Promise<HttpReply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...init,
  });
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const { error } = (Array.isArray(body) ? body[0] : (body ?? {})) as Pick<HttpReply, 'error'>;
  const { status, headers } = response;
  return error === undefined
    ? { status, headers, text, body }
    : { status, headers, text, body, error };
}

export interface Client {
  readonly socket: WebSocket;
  /** All messages so far, parsed. */
  readonly messages: unknown[];
  /** The next message, parsed. */
  next(): Promise<unknown>;
  /** Code and reason of the close. */
  readonly closed: Promise<[code: number, reason: string]>;
}

/** An open WebSocket. */
export async function connect(
  url: string,
  headers: Record<string, string> = {},
  options: object = {},
): Promise<Client> {
  const socket = new WebSocket(url, { headers, ...options });
  const messages: unknown[] = [];
  const waiters: ((message: unknown) => void)[] = [];
  let taken = 0;
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as unknown;
    messages.push(message);
    const waiter = waiters.shift();
    if (waiter !== undefined) {
      taken += 1;
      waiter(message);
    }
  });
  const closed = once(socket, 'close').then(([code, reason]): [number, string] => [
    code as number,
    String(reason),
  ]);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  return {
    socket,
    messages,
    closed,
    next() {
      if (taken < messages.length) {
        taken += 1;
        return Promise.resolve(messages[taken - 1]);
      }
      return new Promise((resolve) => waiters.push(resolve));
    },
  };
}
