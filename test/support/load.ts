/** Makes calls without a pause over persistent connections, each with a block number of its own. */
import { once } from 'node:events';
import { Pool } from 'undici';
import { WebSocket } from 'ws';

export interface Load {
  /** The answers' results, by the number of the call. */
  readonly answered: ReadonlyMap<number, unknown>;
  /** Why calls were not answered with a result, by their number. */
  readonly failed: ReadonlyMap<number, string>;
  /** Connections lost, HTTP and WebSocket. */
  readonly dropped: readonly string[];
  /** Stops; resolves when every call that was sent has been answered or has failed. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  /** `http://127.0.0.1:PORT` */
  readonly base: string;
  readonly key: string;
  /** Connections that make one call after the other. */
  readonly http: number;
  /** WebSockets, each with `perSocket` calls under way. */
  readonly sockets: number;
  readonly perSocket: number;
}

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Starts to call; resolves when all connections are open. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const { base, key, http, sockets, perSocket } = options;
  const answered = new Map<number, unknown>();
  const failed = new Map<number, string>();
  const dropped: string[] = [];
  let last = 0;
  const stopping = new AbortController();
  const { signal } = stopping;
  const request = (): { id: number; text: string } => {
    last += 1;
    const params = [`0x${last.toString(16)}`, false];
    const method = 'eth_getBlockByNumber';
    return { id: last, text: JSON.stringify({ jsonrpc: '2.0', id: last, method, params }) };
  };
  const settle = (id: number, { result, error }: Omit<Reply, 'id'>): boolean => {
    if (error === undefined && result !== undefined) answered.set(id, result);
    else failed.set(id, error?.message ?? 'no result');
    return error === undefined;
  };

  const pool = new Pool(base, { connections: http, pipelining: 1, keepAliveTimeout: 60_000 });
  pool.on('disconnect', (_origin, _targets, error) => {
    if (!signal.aborted) dropped.push(`http: ${error.message}`);
  });
  const overHttp = async (): Promise<void> => {
    while (!signal.aborted) {
      const { id, text } = request();
      try {
        const { body } = await pool.request({
          path: `/v3/${key}`,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: text,
        });
        if (!settle(id, (await body.json()) as Reply)) return;
      } catch (error) {
        failed.set(id, (error as Error).message);
        return;
      }
    }
  };

  const overSocket = async (): Promise<{ readonly ended: Promise<void> }> => {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/ws/v3/${key}`);
    await once(socket, 'open');
    const underWay = new Set<number>();
    const ended = Promise.withResolvers<void>();
    const send = (): void => {
      const { id, text } = request();
      underWay.add(id);
      socket.send(text, (error) => {
        if (error !== undefined && error !== null) failed.set(id, error.message);
      });
    };
    let isRefused = false;
    socket.on('message', (data) => {
      const reply = JSON.parse((data as Buffer).toString()) as Reply;
      underWay.delete(reply.id);
      if (!settle(reply.id, reply)) isRefused = true;
      if (!signal.aborted && !isRefused) send();
      else if (underWay.size === 0) ended.resolve();
    });
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      if (!signal.aborted) dropped.push(`websocket: ${code}`);
      for (const id of underWay) failed.set(id, `closed ${code}`);
      ended.resolve();
    });
    for (let index = 0; index < perSocket; index += 1) send();
    return { ended: ended.promise.finally(() => socket.terminate()) };
  };

  const opened = await Promise.all(Array.from({ length: sockets }, overSocket));
  const loops = [...Array.from({ length: http }, overHttp), ...opened.map(({ ended }) => ended)];
  return {
    answered,
    failed,
    dropped,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      await pool.destroy();
    },
  };
}
