import { readNumber, readUrl } from './bounds.ts';
import { TransportError } from './errors.ts';
import { limitDepth } from './limit-depth.ts';
import { createQueue } from './queue.ts';
import type { SocketConstructor } from './socket.ts';
import { type Session, startSession } from './socket-session.ts';
import type { Transport } from './transport.ts';
import type { TransportOptions } from './options.ts';

export interface WebSocketOptions<Wide = never> extends TransportOptions<Wide> {
  /** Replaces the runtime's WebSocket, for example with that of the `ws` package. */
  readonly WebSocket?: SocketConstructor | undefined;
  /** Maximum number of calls in flight (default: 100); further calls wait. */
  readonly maxInFlight?: number | undefined;
  /** Timeout for opening the socket, in milliseconds (default: 10,000). */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * Pings a socket after this many idle milliseconds, and closes it after as many more (default: off).
   */
  readonly heartbeatMs?: number | undefined;
  /** Whether reads in flight are retried when the connection is lost (default: true). */
  readonly replay?: boolean | undefined;
}

/**
 * Creates a transport over one WebSocket. It is opened by the first call, and reopened by the first call
 * after a disconnect. Concurrent calls share a message.
 * @throws TypeError when an option is invalid.
 */
export function webSocket<Wide = never>(
  options: WebSocketOptions<Wide>,
): Transport<Wide> & { readonly close: () => void } {
  const { replay = true } = options;
  const { href, origin: where } = readUrl(options.url, 'ws');
  const WebSocket = options.WebSocket ?? (globalThis.WebSocket as SocketConstructor | undefined);
  if (WebSocket === undefined) {
    throw new TypeError('this runtime has no WebSocket: pass the one from the ws package');
  }
  const sessionOptions = {
    href: href.replace(/^ws/, 'http'),
    where,
    json: limitDepth(options.json ?? JSON),
    maxBytes: readNumber(options, 'maxResponseBytes', 2 ** 28, 1),
    connectTimeoutMs: readNumber(options, 'connectTimeoutMs', 10_000, 1),
    heartbeatMs: readNumber(options, 'heartbeatMs', Infinity, 1),
    replay,
  };
  let session: Session | undefined;
  let isClosed = false;

  const transport = createQueue(
    options,
    100,
    (calls) => {
      let cause: unknown;
      try {
        if (!isClosed && !session?.isAlive()) {
          const maxPayload = Math.min(sessionOptions.maxBytes, MAX_PAYLOAD_BYTES);
          // Chrome takes a third argument after `undefined` for a subprotocol.
          session = startSession(new WebSocket(href, [], { maxPayload }), sessionOptions);
        }
        if (!isClosed) return session!.deliver(calls);
      } catch (error) {
        cause = error;
      }
      const error = isClosed
        ? new TransportError('closed', `${where} ${CLOSED_HERE}`)
        : new TransportError('unreachable', `${where}: cannot create a WebSocket`, { cause });
      for (const { settle } of calls) settle(error);
      return () => null;
    },
    true,
  );
  return Object.assign(transport, {
    close: (): void => {
      isClosed = true;
      session?.end('closed', CLOSED_HERE, false);
    },
  });
}

/** `ws` reads its option as a 32-bit number. No runtime has strings this long. */
const MAX_PAYLOAD_BYTES = 2 ** 31 - 1;

const CLOSED_HERE = 'cannot be called: the client is closed';
