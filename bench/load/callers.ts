import { once } from 'node:events';
import { Pool, type Dispatcher } from 'undici';
import { WebSocket } from 'ws';
import { KEEP_ALIVE_MS } from '../servers/http.ts';
import type { Load, Send } from './drive.ts';

/** Opens as many connections as the load has, or returns those that are open. */
export type OpenCaller = (load: Load) => Promise<Send>;

/** Keeps the connections of each load open, since callers do. */
export function createCallers(): OpenCaller {
  const pools = new Map<string, Pool>();
  const sockets = new Map<string, Promise<WebSocket[]>>();
  const remember = <T>(open: Map<string, T>, key: string, create: () => T): T => {
    const value = open.get(key) ?? create();
    open.set(key, value);
    return value;
  };
  return async (load) => {
    const { url, connections } = load;
    const key = `${connections} ${url}`;
    const next = createBodies(load);
    if (url.startsWith('ws:')) {
      return overSockets(await remember(sockets, key, () => openSockets(load)), next);
    }
    const { origin, pathname } = new URL(url);
    const options = { connections, pipelining: 1, keepAliveTimeout: KEEP_ALIVE_MS };
    return overHttp(
      remember(pools, key, () => new Pool(origin, options)),
      pathname,
      next,
    );
  };
}

/** The last digits of a hash or a block number. */
const CHANGING = /(?<=0x[\da-f]{2,})[\da-f]{5}(?=")/;
const VALUES = 16 ** 5;
let requests = 0;

/** Returns a function that writes the next body: it repeats itself only after a million requests. */
function createBodies({ body, isRepeated }: Load): () => string {
  const parts = isRepeated === true ? [body] : body.split(CHANGING);
  return () => {
    requests = (requests + 1) % VALUES;
    return parts.join(requests.toString(16).padStart(5, '0'));
  };
}

function overHttp(pool: Pool, path: string, next: () => string): Send {
  const headers = ['content-type', 'application/json'];
  return (end) => void pool.dispatch({ method: 'POST', path, headers, body: next() }, measure(end));
}

function measure(end: Parameters<Send>[0]): Dispatcher.DispatchHandler {
  let status = 0;
  let bytes = 0;
  return {
    onRequestStart: () => undefined,
    onResponseStart(_controller, code) {
      status = code;
    },
    onResponseData(_controller, chunk) {
      bytes += chunk.length;
    },
    onResponseEnd: () => end(status, bytes),
    onResponseError: () => end(0, 0),
  };
}

function openSockets({ url, connections }: Load): Promise<WebSocket[]> {
  return Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = new WebSocket(url, { perMessageDeflate: false });
      await once(socket, 'open');
      return socket;
    }),
  );
}

/** One request at a time on each socket, so that the next message is its answer. */
function overSockets(sockets: readonly WebSocket[], next: () => string): Send {
  const free = [...sockets];
  const waiting: Parameters<Send>[0][] = [];
  const send = (socket: WebSocket, end: Parameters<Send>[0]): void => {
    const finish = (status: number, bytes: number): void => {
      socket.off('message', onMessage).off('close', onClose);
      const first = waiting.shift();
      if (first === undefined) free.push(socket);
      else send(socket, first);
      end(status, bytes);
    };
    const onMessage = (data: Buffer): void => finish(200, data.length);
    const onClose = (): void => finish(0, 0);
    socket.on('message', onMessage).on('close', onClose);
    socket.send(next());
  };
  return (end) => {
    const socket = free.pop();
    if (socket === undefined) waiting.push(end);
    else send(socket, end);
  };
}
