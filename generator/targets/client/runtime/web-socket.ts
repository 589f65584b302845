import { readNumber } from './bounds.ts';
import { TransportError } from './client-error.ts';
import { readUrl } from './origin.ts';
import { createQueue } from './queue.ts';
import type { SocketConstructor } from './socket.ts';
import { type Session, startSession } from './socket-session.ts';
import type { Transport } from './transport.ts';
import type { TransportOptions } from './transport-options.ts';

export interface WebSocketOptions<Wide = never> extends TransportOptions<Wide> {
  /** Another WebSocket than the runtime's own, such as that of the `ws` package. */
  readonly WebSocket?: SocketConstructor | undefined;
  /** Calls in flight at once (100); the others wait. */
  readonly maxInFlight?: number | undefined;
  /** How long the socket may take to open, in milliseconds (10,000). */
  readonly connectTimeoutMs?: number | undefined;
  /** How long an open socket may be silent before it is asked for a sign of life (never asked). */
  readonly heartbeatMs?: number | undefined;
  /** Whether reads in flight when the socket is lost may be sent again on the next (true). */
  readonly replay?: boolean | undefined;
}

/**
 * JSON-RPC over one WebSocket, opened by the first call and again by the first call after it was
 * lost. Calls made at once share a message.
 * @throws TypeError when an option cannot be used.
 */
export function webSocket<Wide = never>(
  options: WebSocketOptions<Wide>,
): Transport<Wide> & { readonly close: () => void } {
  const { json = JSON, replay = true } = options;
  const { href, origin: where } = readUrl(options.url, 'ws');
  const WebSocket = options.WebSocket ?? (globalThis.WebSocket as SocketConstructor | undefined);
  if (WebSocket === undefined) {
    throw new TypeError('no WebSocket in this runtime: pass that of the ws package as WebSocket');
  }
  const sessionOptions = {
    where,
    json,
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
          session = startSession(new WebSocket(href), sessionOptions);
        }
        if (!isClosed) return session!.deliver(calls);
      } catch (error) {
        cause = error;
      }
      const error = isClosed
        ? new TransportError('closed', `${where} ${CLOSED_HERE}`)
        : new TransportError('unreachable', `${where} cannot be called from here`, { cause });
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

const CLOSED_HERE = 'is no longer called, for the client was closed: make another';
