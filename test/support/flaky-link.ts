import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy that can be made to fail. */
export interface FlakyLink {
  readonly port: number;
  /** Closes every connection and accepts no new one. */
  cut(): void;
  /** Accepts connections and forwards nothing, neither data nor ends. */
  stall(): void;
  restore(): void;
  stop(): Promise<void>;
}

/** Forwards connections to a port of this host. */
export async function startFlakyLink(target: number): Promise<FlakyLink> {
  const sockets = new Set<Socket>();
  let state: 'whole' | 'cut' | 'stalled' = 'whole';
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  };
  const dropAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    keep(near);
    if (state === 'cut') near.destroy();
    if (state !== 'whole') return;
    const far = connect(target, '127.0.0.1');
    keep(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => state !== 'stalled' && to.write(bytes));
      from.on('close', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut';
      dropAll();
    },
    stall() {
      state = 'stalled';
    },
    restore() {
      // Bytes that were held back are lost, so the clients have to connect again.
      if (state === 'stalled') dropAll();
      state = 'whole';
    },
    async stop() {
      dropAll();
      server.close();
      await once(server, 'close');
    },
  };
}
