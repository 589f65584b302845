import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** The parser of a connection (lib/_http_common.js). */
interface Parser {
  readonly constructor: { readonly kOnBody: number };
  onIncoming: (request: IncomingMessage & { upgrade?: boolean }) => number;
  [callback: number]: unknown;
}

/** Node's handle of a socket. */
interface Handle {
  readStop(): number;
}

const stopped = new WeakSet<Socket>();

/**
 * Stops reading from a connection that is to be closed, and ends the parsing of what was received. Node
 * would parse the rest of a read, which can hold thousands of requests or chunks.
 */
export function stopReading(socket: Socket): void {
  socket.pause();
  stopped.add(socket);
  const { parser, _handle } = socket as Socket & { parser?: Parser | null; _handle?: Handle };
  // Over TLS, a paused socket would read up to 2 MiB more.
  if (socket instanceof TLSSocket) _handle?.readStop();
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

/** How long, and for how many bytes, a connection is read on after its last response. */
const LINGER_MS = 5_000;
const LINGER_BYTES = 65_536;

/**
 * Makes a TLS connection wait for the end of the client before it is closed. That end is data (RFC 8446,
 * section 6.1): if it arrived later, the system would reset the connection, and discard what it has not yet
 * sent of the last response.
 */
export function lingerBeforeClose(socket: TLSSocket): void {
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (socket.destroyed || socket.readableEnded || stopped.has(socket)) return destroySoon();
    let left_bytes = LINGER_BYTES;
    // What follows the last request is not HTTP for this connection anymore.
    socket.removeAllListeners('data').on('data', ({ length }: Buffer) => {
      left_bytes -= length;
      if (left_bytes < 0) destroySoon();
    });
    const timer = setTimeout(destroySoon, LINGER_MS);
    socket.once('end', destroySoon).once('close', () => clearTimeout(timer));
    socket.end();
    socket.resume();
  };
}

/** Destroys a connection and ends the parsing of what was received. */
export function destroyUnparsed(socket: Socket): void {
  stopReading(socket);
  socket.destroy();
}

/**
 * Keeps a paused connection from being read. Node reports `resume` a turn later, and reads from then on, although
 * the connection may have been paused since; nothing would stop that, because pausing it again has no effect. If
 * Node has paused its parser too, that rejects what is read.
 */
export function keepPaused(socket: Socket): void {
  socket.on('resume', () => {
    // The listeners of `pause` stop reading.
    if (socket.isPaused()) socket.emit('pause');
  });
}

/**
 * Pauses reading from a connection while several of its requests wait for a turn. Node reads up to 2 MiB from
 * each connection in one iteration of the event loop and accepts one connection in it: requests would arrive
 * faster than they are handled, and delay new connections. While a single request waits, reading shows
 * whether its client leaves.
 */
export class ReadingPace {
  /** Undefined once it is closed: a turn that comes later must not keep it in memory. */
  #socket: Socket | undefined;
  #waiting = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('close', () => (this.#socket = undefined));
  }

  /** Counts a request as waiting until `turn` resolves. */
  async wait(turn: Promise<void>): Promise<void> {
    this.#waiting += 1;
    if (this.#waiting > 1) this.#socket?.pause();
    await turn;
    this.#waiting -= 1;
    const socket = this.#socket;
    if (this.#waiting === 1 && socket && !stopped.has(socket) && !isPausedByNode(socket)) {
      socket.resume();
    }
  }
}

/**
 * Whether Node has paused the socket and its parser, until responses are read, as in Node's
 * lib/_http_server.js. The parser rejects what it gets meanwhile.
 */
function isPausedByNode(socket: Socket & { readonly _paused?: boolean }): boolean {
  return socket._paused === true;
}
