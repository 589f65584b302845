import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Reception } from './reception.ts';
import type { Site } from './site.ts';

/**
 * Counts the connections of each network: at once where there is but one, else from the first
 * request on, which tells the network it is for.
 */
export function countConnections(reception: Reception): {
  onConnection(socket: Socket): void;
  onRequest(request: IncomingMessage): void;
} {
  const counted = new WeakSet<Socket>();
  const count = (socket: Socket, { watcher }: Site): void => {
    counted.add(socket);
    watcher.onConnection('http', 1);
    socket.on('close', () => watcher.onConnection('http', -1));
  };
  return {
    onConnection(socket) {
      if (reception.entrances.length === 1) count(socket, reception.speaker.site);
    },
    onRequest(request) {
      if (counted.has(request.socket)) return;
      const entrance = reception.find(request);
      if (entrance !== undefined) count(request.socket, entrance.site);
    },
  };
}
