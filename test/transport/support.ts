import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { hashKey } from '../../src/auth/hash-key.ts';
import { KeyIndex } from '../../src/auth/key-index.ts';
import { AccountCounts } from '../../src/gateway/account-counts.ts';
import { createDesk } from '../../src/gateway/desk.ts';
import { createDoor } from '../../src/gateway/door.ts';
import { readRoute } from '../../src/transport/route.ts';
import type { Key, Plan } from '../../src/store/records.ts';
import { listen, type Listener } from '../../src/transport/listen.ts';
import type { Compression } from '../../src/transport/compression/compression.ts';
import { UnsentAnswers } from '../../src/transport/unsent-answers.ts';
import { createRequestIds } from '../../src/transport/request-ids.ts';
import type { Site, TransportLimits } from '../../src/transport/site.ts';
import type { Upstream } from '../../src/upstream/upstream.ts';
import { roomsOver, type RoomsOptions } from '../gateway/support/gateway.ts';
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

export interface ServedSite {
  readonly listener: Listener;
  readonly httpUrl: string;
  readonly wsUrl: string;
  readonly index: KeyIndex;
  /** Replaces the record of key `demo`, as a change in the store would. */
  changeKey(change: Partial<Key>): void;
  drain(): void;
  readonly connections: Record<'http' | 'websocket', number>;
  readonly faults: unknown[];
  /** Credits charged so far. */
  charged(): Promise<number>;
  /** What was refused as a whole. */
  readonly refusals: { readonly reason: string; readonly requestId: string }[];
  /** Why connections were cut. */
  readonly cuts: string[];
  readonly site: Site;
  callsInFlight(): number;
}

export interface ServeOptions extends RoomsOptions {
  readonly upstream?: Upstream;
  readonly plan?: Partial<Plan>;
  readonly key?: Partial<Key>;
  readonly limits?: Partial<TransportLimits>;
  readonly compression?: Compression;
  /** Connections an account may have. */
  readonly accountConnections?: number;
}

/** A site as the transports serve it, and what is told of it. */
export interface SiteOfTest extends Pick<
  ServedSite,
  'connections' | 'faults' | 'refusals' | 'cuts' | 'index' | 'drain' | 'site' | 'callsInFlight'
> {
  readonly key: Key;
  charged(): Promise<number>;
}

/** A network without an address, key `demo`. */
export function siteOver(upstream: Upstream, options: ServeOptions = {}): SiteOfTest {
  const { errors, rpc, ledger, rate, rows } = roomsOver(upstream, options);
  const open = new AccountCounts();
  const connectionsOf = (): number => options.accountConnections ?? 1_000;
  const now_ms = options.now_ms ?? Date.now;
  const index = new KeyIndex();
  const key = keyRecord({ hash: hashKey('demo'), ...options.key });
  const plan = { ...freePlan, creditsPerDay: 1_000_000, callsPerSecond: 100_000, ...options.plan };
  index.apply({ revision: 1, plans: [plan], accounts: [account], keys: [key] });
  const connections = { http: 0, websocket: 0 };
  const faults: unknown[] = [];
  const refusals: { reason: string; requestId: string }[] = [];
  const cuts: string[] = [];
  const siteLimits = { ...limits, ...options.limits };
  let isDraining = false;
  const site: Site = {
    readRoute,
    rpc,
    errors,
    door: createDoor(index, { network: 'evm', errors, now_ms }),
    desk: createDesk({ ledger, rate, errors, connections: open, connectionsOf, now_ms }),
    document: Buffer.from(protocol.document),
    documentTag: '"tag"',
    compression: options.compression,
    unsent: new UnsentAnswers(() => siteLimits),
    nextRequestId: createRequestIds('t'),
    isDraining: () => isDraining,
    limits: siteLimits,
    watcher: {
      onConnection: (transport, change) => {
        connections[transport] += change;
      },
      onRefusal: ({ reason }, requestId) => refusals.push({ reason, requestId }),
      onCut: (cause) => cuts.push(cause),
      onFault: (fault) => faults.push(fault),
    },
  };
  return {
    site,
    key,
    index,
    connections,
    faults,
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
export async function serveSite(options: ServeOptions = {}): Promise<ServedSite> {
  const { key, ...told } = siteOver(options.upstream ?? echo, options);
  const sites = [{ name: 'evm', site: told.site, hostNames: [] }];
  const listener = await listen({ sites }, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listener.close(100));
  return {
    ...told,
    listener,
    httpUrl: `http://127.0.0.1:${listener.port}`,
    wsUrl: `ws://127.0.0.1:${listener.port}`,
    changeKey(change) {
      const keys = [{ ...key, ...change }];
      told.index.apply({ revision: 2, plans: [], accounts: [], keys });
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

/** A request as clients send them; JSON by POST unless told otherwise. */
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
