import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Connections whose TLS handshake has not ended: to the HTTP server there are none such. */
export interface Handshakes {
  /** Cuts them; no request has come over them. */
  cut(): void;
}

export function followHandshakes(server: Server): Handshakes {
  const underWay = new Map<string, Duplex>();
  server.on('connection', (socket: Duplex) => {
    const peer = peerOf(socket);
    underWay.set(peer, socket);
    socket.once('close', () => {
      if (underWay.get(peer) === socket) underWay.delete(peer);
    });
  });
  server.on('secureConnection', (socket: Duplex) => underWay.delete(peerOf(socket)));
  return {
    cut() {
      for (const socket of underWay.values()) socket.destroy();
    },
  };
}

/** The two sockets of a connection, before and after its handshake, have no more in common. */
function peerOf(socket: Duplex): string {
  const { remoteAddress, remotePort } = socket as Socket;
  return `${remoteAddress} ${remotePort}`;
}
