import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** How OpenSSL logs the next key of a client (TLS 1.3, RFC 8446, section 4.6.3). */
const UPDATED = Buffer.from('CLIENT_TRAFFIC_SECRET_N ');

/** Clients update their keys after gigabytes, if at all. */
const MAX_UPDATES = 32;

/**
 * Closes connections whose clients update their keys again and again. An update is 27 bytes, and takes as long
 * as a small call, but is part of no request, so that it counts for no one. Node reports it in its key log only.
 */
export function limitKeyUpdates(server: Server): void {
  const updates = new WeakMap<TLSSocket, number>();
  server.on('keylog', (line: Buffer, socket: TLSSocket & { readonly _handle?: Handle | null }) => {
    if (!line.subarray(0, UPDATED.length).equals(UPDATED)) return;
    const count = (updates.get(socket) ?? 0) + 1;
    updates.set(socket, count);
    if (count !== MAX_UPDATES + 1) return;
    // `pause` would not stop Node, which reads up to 2 MiB at once.
    socket._handle?.readStop();
    // Not at once: OpenSSL is still handling what was read.
    setImmediate(() => socket.destroy());
  });
}

interface Handle {
  readStop(): number;
}
