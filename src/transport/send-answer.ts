import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Caller } from '../auth/caller.ts';
import type { RpcError } from '../errors/catalog.ts';
import type { Answer } from '../rpc/call.ts';
import type { Message } from '../rpc/message.ts';
import type { Exchange } from './http-connection.ts';
import { WITHOUT_KEY, type NetworkService } from './network-service.ts';
import { accountHeaders, corsHeaders, retirementHeaders } from './response-headers.ts';
import { send, sendPieces } from './send.ts';

/** Sends the response of the core; for a known caller, with the balance of its account. */
export function sendAnswer(
  exchange: Exchange,
  answer: Answer,
  caller: Caller | undefined,
): Promise<void> | void {
  const { service, request } = exchange;
  const balance = caller && service.accounts.balance(caller);
  const headers = balance === undefined ? [] : accountHeaders(answer.credits, balance);
  if (answer.forwardedTo !== undefined) headers.push('x-forwarded-to', answer.forwardedTo);
  if (answer.retirements !== undefined) headers.push(...retirementHeaders(answer.retirements));
  if (answer.error?.reason === 'rate_limited') headers.push(...retryAfter(answer.error));
  if (request.method !== 'POST') headers.push('cache-control', 'no-store');
  if (answer.stream === undefined) {
    return send(exchange, answer.status, { headers, body: answer.body });
  }
  const coding = service.compression?.choose(request.headers['accept-encoding'], undefined);
  return sendPieces(exchange, answer.status, { headers, pieces: answer.stream, coding });
}

/** Rejects a request as a whole. `message` is the part of it that was read. */
export function sendError(
  exchange: Exchange,
  error: RpcError,
  {
    message,
    caller,
    headers = [],
  }: {
    readonly message?: Message;
    readonly caller?: Caller;
    readonly headers?: readonly string[];
  } = {},
): Promise<void> | void {
  const { service, requestId, connection, delivery } = exchange;
  if (caller === undefined) connection.refused(delivery);
  service.observer.onRefusal(error, requestId, caller);
  const answer = service.rpc.refuse(message, error, requestId);
  if (headers.length === 0) return sendAnswer(exchange, answer, caller);
  return send(exchange, answer.status, { headers, body: answer.body });
}

/** Whole seconds (RFC 9110, section 10.2.3). */
function retryAfter({ data }: RpcError): string[] {
  const { retryAfterMs } = data as { retryAfterMs?: number };
  return ['retry-after', String(Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1000)))];
}

export interface SocketRefusal {
  readonly error: RpcError;
  readonly connectionId: string;
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
}

/** How long the client may take to read the rejection and close. */
const LINGER_MS = 2_000;

/** Sockets whose refusal waits for its turn or has been sent. */
const refused = new WeakSet<Duplex>();

/**
 * Rejects a request, in its turn, with an HTTP response on a socket that has no response object. A socket is
 * refused once: Node reports each further read of an unreadable connection.
 */
export function refuseSocket(
  service: NetworkService,
  socket: Duplex,
  refusal: SocketRefusal,
): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  // Node's server no longer handles this socket: an unhandled reset would end the process.
  socket.on('error', () => socket.destroy());
  const turn = service.turns.wait(WITHOUT_KEY);
  if (turn === undefined) return sendRefusal(service, socket, refusal);
  return void turn.then(() => sendRefusal(service, socket, refusal));
}

function sendRefusal(
  service: NetworkService,
  socket: Duplex,
  { error, connectionId, headers = [] }: SocketRefusal,
): void {
  if (!socket.writable) return;
  service.observer.onRefusal(error, connectionId, undefined);
  // Node's server applies no timeouts here: a client that never closes would stay connected forever.
  const cutting = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cutting));
  const body = Buffer.concat(service.rpc.refuse(undefined, error, connectionId).body);
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
  const statusLine = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`;
  socket.end(Buffer.concat([Buffer.from(`${statusLine}\r\n${head}\r\n`), body]));
}
