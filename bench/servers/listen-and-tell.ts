import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Longer than any pause between two measurements, so that connections are opened once. */
const KEEP_ALIVE_MS = 120_000;

/** Listens on any free port of 127.0.0.1, prints the address as a line, and ends at SIGTERM. */
export function listenAndTell(server: Server): void {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
  process.on('SIGTERM', () => process.exit(0));
}
