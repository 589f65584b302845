import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Longer than any pause between two measurements, so that connections are opened once. */
export const KEEP_ALIVE_MS = 120_000;

/** Passes the whole body of a request to `onBody`; never calls it when the client leaves early. */
export function collectBody(request: IncomingMessage, onBody: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => onBody(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
}

/** Listens on a free port of 127.0.0.1 and prints the address as a line. */
export function listen(server: Server): void {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
}
