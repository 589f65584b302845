import type { Server } from 'node:https';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** How OpenSSL logs the next key of the other end of a connection (TLS 1.3, RFC 8446, section 4.6.3). */
const OF_CLIENT = Buffer.from('CLIENT_TRAFFIC_SECRET_N ');
const OF_SERVER = Buffer.from('SERVER_TRAFFIC_SECRET_N ');

/** The other end updates its keys after gigabytes, if at all. */
const MAX_UPDATES = 32;

/**
 * Closes connections to a server whose clients update their keys again and again. An update is 27 bytes, and
 * takes as long as a small call, but is part of no request, so that it counts for no one. Node reports it in
 * its key log only.
 */
export function limitKeyUpdates(server: Server): void {
  const updates = new WeakMap<TLSSocket, number>();
  server.on('keylog', (line: Buffer, socket: TLSSocket) => {
    if (!isUpdate(line, OF_CLIENT)) return;
    const count = (updates.get(socket) ?? 0) + 1;
    updates.set(socket, count);
    if (count === MAX_UPDATES + 1) close(socket);
  });
}

/** Closes the connection of a client, if it is encrypted, when its server does the same. */
export function limitKeyUpdatesOf(socket: Duplex): void {
  if (!(socket instanceof TLSSocket)) return;
  let count = 0;
  socket.on('keylog', (line: Buffer) => {
    if (!isUpdate(line, OF_SERVER)) return;
    count += 1;
    if (count === MAX_UPDATES + 1) close(socket, new Error('too many key updates'));
  });
}

function isUpdate(line: Buffer, label: Buffer): boolean {
  return line.subarray(0, label.length).equals(label);
}

function close(socket: TLSSocket & { readonly _handle?: Handle | null }, error?: Error): void {
  // `pause` would not stop Node, which reads up to 2 MiB at once.
  socket._handle?.readStop();
  // Not at once: OpenSSL is still handling what was read.
  setImmediate(() => socket.destroy(error));
}

interface Handle {
  readStop(): number;
}
