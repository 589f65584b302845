import { abortable } from './abort.ts';
import { readAddress } from './address.ts';
import { readCount, readDuration } from './bounds.ts';
import { encodeCall } from './envelope.ts';
import { runtimeSocket, type Socket, type SocketConstructor } from './socket.ts';
import { SocketSession } from './socket-session.ts';
import { closedHere, notOpened } from './socket-trouble.ts';
import type { Transport } from './transport.ts';
import { withLimit } from './with-limit.ts';

export interface WebSocketOptions {
  /** The service's address, with the API key where the service wants it. */
  readonly url: string | URL;
  /** Another WebSocket than the runtime's own, such as that of the `ws` package. */
  readonly WebSocket?: SocketConstructor | undefined;
  /** Calls in flight on the socket at once (100); the others wait. */
  readonly maxInFlight?: number | undefined;
  /** Calls that may wait (10,000); one more is refused. */
  readonly maxWaiting?: number | undefined;
  /** How long the socket may take to open, in milliseconds (10,000). */
  readonly connectTimeoutMs?: number | undefined;
}

/**
 * JSON-RPC over one WebSocket, opened by the first call and again by the first call after it was
 * lost. Calls in flight when it closes are rejected (TransportError `closed`), not sent anew.
 * @throws TypeError when an option cannot be used.
 */
export function webSocket(options: WebSocketOptions): Transport & { readonly close: () => void } {
  const { href, shown: where } = readAddress(options.url, ['wss:', 'ws:']);
  const connectTimeoutMs = readDuration('connectTimeoutMs', options.connectTimeoutMs ?? 10_000);
  const WebSocket = options.WebSocket ?? runtimeSocket();
  let session: SocketSession | null = null;
  let closed = false;
  let lastId = 0;

  const connect = (): SocketSession => {
    if (closed) throw closedHere(where);
    if (session === null || !session.alive) {
      session = new SocketSession(openSocket(WebSocket, { href, where }), {
        where,
        connectTimeoutMs,
      });
    }
    return session;
  };

  const exchange: Transport = async (call, { signal }) => {
    const current = connect();
    await abortable(current.ready, signal);
    if (call.notification) {
      current.send(encodeCall(call, 0));
      return { result: undefined, response: null };
    }
    lastId += 1;
    return current.exchange(lastId, encodeCall(call, lastId), signal);
  };

  const limited = withLimit(exchange, {
    maxInFlight: readCount('maxInFlight', options.maxInFlight ?? 100),
    maxWaiting: readCount('maxWaiting', options.maxWaiting ?? 10_000),
    where,
  });
  const close = (): void => {
    closed = true;
    session?.end(closedHere(where));
  };
  return Object.assign(limited, { close });
}

function openSocket(
  WebSocket: SocketConstructor,
  { href, where }: { readonly href: string; readonly where: string },
): Socket {
  try {
    return new WebSocket(href);
  } catch (cause) {
    throw notOpened(where, 'the runtime refused it', cause);
  }
}
