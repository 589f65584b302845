import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RpcError } from '../errors/catalog.ts';
import { corsHeaders } from './cors.ts';
import type { Site } from './site.ts';

export interface Refusal {
  readonly error: RpcError;
  readonly connectionId: string;
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
}

/** How long the other end has to take a refusal and close. */
const LINGER_MS = 2_000;

/** Writes a refusal to a socket that has no response object, the way a plain HTTP request is refused. */
export function refuseSocket(
  site: Site,
  socket: Duplex,
  { error, connectionId, headers = [] }: Refusal,
): void {
  site.watcher.onRefusal(error, connectionId, undefined);
  // Node's server has let go of it: a client that has reset it would end the process otherwise.
  socket.on('error', () => socket.destroy());
  // Nor does it wait for the other end to close: one that never does would keep its place for ever.
  const cutting = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cutting));
  const body = Buffer.concat(site.rpc.refuse(undefined, error, connectionId).body);
  const fields = [
    ['x-request-id', connectionId],
    ['content-type', 'application/json'],
    ['content-length', String(body.length)],
    ['connection', 'close'],
    ...headers,
  ];
  for (let index = 0; index < corsHeaders.length; index += 2) {
    fields.push([corsHeaders[index]!, corsHeaders[index + 1]!]);
  }
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(
    Buffer.concat([
      Buffer.from(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${head}\r\n`),
      body,
    ]),
  );
}
