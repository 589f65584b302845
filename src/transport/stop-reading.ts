import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The parser of a connection (lib/_http_common.js). */
interface Parser {
  readonly constructor: { readonly kOnBody: number };
  onIncoming: (request: IncomingMessage & { upgrade?: boolean }) => number;
  [callback: number]: unknown;
}

/**
 * Stops reading from a connection that is to be closed, and ends the parsing of what was received. Node
 * would parse the rest of a read, which can hold thousands of requests or chunks.
 */
export function stopReading(socket: Socket): void {
  socket.pause();
  const { parser } = socket as Socket & { parser?: Parser | null };
  if (!parser) return;
  // As for an upgrade: what follows is not HTTP.
  parser.onIncoming = (request) => {
    request.upgrade = false;
    return 2;
  };
  const { kOnBody } = parser.constructor;
  const onBody = parser[kOnBody];
  if (onBody === undefined) return;
  // Chunks are skipped without a callback for each.
  parser[kOnBody] = undefined;
  // Node reuses the parser for another connection.
  socket.once('close', () => {
    parser[kOnBody] = onBody;
  });
}

/** Destroys a connection and ends the parsing of what was received. */
export function destroyUnparsed(socket: Socket): void {
  stopReading(socket);
  socket.destroy();
}
