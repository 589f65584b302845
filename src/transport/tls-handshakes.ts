import type { Socket } from 'node:net';
import type { MessageTurns } from '../time/message-turns.ts';
import { awaitClientHello } from './client-hello.ts';
import { WITHOUT_KEY } from './network-service.ts';

/**
 * Maximum number of handshakes that wait for their client. What clients send next takes no turn, and can
 * take as long as the first message, so that many must not be able to send it at once.
 */
const MAX_STARTED = 500;

/**
 * Number of waiting handshakes above which the latest comes first: in a flood, clients that have waited for
 * long have left, and the next client would wait as long.
 */
const MANY_WAITING = 500;

interface Handshake {
  readonly socket: Socket;
  readonly timer: NodeJS.Timeout;
}

interface Waiting {
  readonly socket: Socket;
  readonly start: () => void;
}

export interface TlsHandshakesOptions {
  readonly turns: MessageTurns;
  /** How long a handshake may take, with the wait for its turn. */
  readonly timeout_ms: () => number;
  /** Starts TLS on a connection; the ClientHello is in the buffer of the socket. */
  readonly start: (socket: Socket) => void;
}

/**
 * The TLS handshakes in progress. Each takes milliseconds before anything is known of the client, and Node
 * would handle all those that have arrived before anything else. They take turns with the messages of
 * accounts instead, once the ClientHello has arrived: clients that get their turn earlier could send it
 * together.
 */
export class TlsHandshakes {
  readonly #options: TlsHandshakesOptions;
  readonly #open = new Map<string, Handshake>();
  /** Connections that wait for a turn, oldest first. */
  readonly #waiting: Waiting[] = [];
  #isTakingTurn = false;
  /** Connections on which TLS has started, oldest first, by peer. */
  readonly #started = new Map<string, Socket>();

  constructor(options: TlsHandshakesOptions) {
    this.#options = options;
  }

  /** Starts the handshake of a connection when it is its turn. */
  begin(socket: Socket, peer: string): void {
    const timer = setTimeout(() => socket.destroy(), this.#options.timeout_ms());
    const handshake = { socket, timer };
    this.#open.set(peer, handshake);
    socket.once('close', () => {
      clearTimeout(timer);
      const index = this.#waiting.findIndex((waiting) => waiting.socket === socket);
      if (index >= 0) this.#waiting.splice(index, 1);
      if (this.#open.get(peer) === handshake) this.finish(peer);
    });
    awaitClientHello(socket, (putBack) => {
      const start = (): void => {
        if (socket.destroyed) return;
        putBack();
        this.#start(socket, peer);
      };
      this.#waiting.push({ socket, start });
      this.#takeTurn();
    });
  }

  /** Records that the handshake with a peer has finished. */
  finish(peer: string): void {
    clearTimeout(this.#open.get(peer)?.timer);
    this.#open.delete(peer);
    this.#started.delete(peer);
  }

  /** Cuts the connections whose handshake has not finished. */
  destroy(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }

  /** Starts a handshake in its turn, at most one in each iteration of the event loop. */
  #takeTurn(): void {
    if (this.#isTakingTurn || this.#waiting.length === 0) return;
    this.#isTakingTurn = true;
    const start = (): void => {
      const { length } = this.#waiting;
      const next = length > MANY_WAITING ? this.#waiting.pop() : this.#waiting.shift();
      next?.start();
      setImmediate(() => {
        this.#isTakingTurn = false;
        this.#takeTurn();
      });
    };
    const turn = this.#options.turns.wait(WITHOUT_KEY);
    if (turn === undefined) start();
    else void turn.then(start);
  }

  #start(socket: Socket, peer: string): void {
    const [oldest] = this.#started.values();
    if (oldest !== undefined && this.#started.size >= MAX_STARTED) oldest.destroy();
    this.#started.set(peer, socket);
    this.#options.start(socket);
  }
}
