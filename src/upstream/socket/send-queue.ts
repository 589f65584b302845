import type { Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import { joinWrites, writeNow } from '../../time/joined-writes.ts';

/** A request that is written when it is its account's turn. */
export interface QueuedMessage {
  readonly account: string | undefined;
  readonly size_bytes: number;
  /** Called when the message is sent; returns its bytes. */
  encode(): Buffer;
}

/** The unsent messages of one account; removed with the last of them. */
interface AccountMessages {
  bytes: number;
  /** In order of arrival. */
  readonly messages: Set<QueuedMessage>;
}

export interface SendQueueOptions {
  /** Returns the stream of the WebSocket; undefined before it is open. */
  readonly stream: () => Writable | undefined;
  /** While more bytes than this are unsent, messages of accounts above their share are rejected. */
  readonly send_bytes: number;
  /** Called when the network accepts the bytes of this account more slowly than they arrive. */
  readonly onCrowded: (account: string) => void;
}

const SEND_OPTIONS = { binary: false };

/** Unsent bytes above which an account is considered to fill the connection. */
const CROWDED_BYTES = 1_048_576;

/**
 * Maximum bytes written to the socket ahead of the network; once written, they cannot be reordered.
 */
const MAX_WRITTEN_BYTES = 65_536;

/**
 * Sends the messages of one WebSocket, fairly by account: messages that the network does not accept
 * at once wait, and accounts take turns. Probes, which belong to no account, come first. When the
 * queue is full, an account may still use its equal share of it, so one account cannot fill it for
 * others.
 */
export class SendQueue {
  readonly #socket: WebSocket;
  readonly #options: SendQueueOptions;
  /** Ordered by when they were last served, least recently first. */
  readonly #accounts = new Map<string | undefined, AccountMessages>();
  readonly #onSent = (): void => this.#sendNext();
  #bytes = 0;

  constructor(socket: WebSocket, options: SendQueueOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  /** Sends a message now or later. Returns false if too many bytes wait; then it is not sent. */
  add(message: QueuedMessage): boolean {
    const { account, size_bytes } = message;
    const { send_bytes, onCrowded } = this.#options;
    const stream = this.#options.stream();
    if (stream !== undefined && this.#accounts.size === 0 && this.#canWrite(stream)) {
      this.#send(message, stream);
      return true;
    }
    const own = this.#accounts.get(account) ?? { bytes: 0, messages: new Set() };
    if (this.#bytes > send_bytes && own.bytes > send_bytes / this.#accounts.size) return false;
    this.#accounts.set(account, own);
    own.messages.add(message);
    own.bytes += size_bytes;
    this.#bytes += size_bytes;
    this.#sendNext();
    if (account !== undefined && own.bytes > CROWDED_BYTES) onCrowded(account);
    return true;
  }

  /** Drops a message unless it was sent. */
  delete(message: QueuedMessage): void {
    const own = this.#accounts.get(message.account);
    if (own?.messages.delete(message) !== true) return;
    own.bytes -= message.size_bytes;
    this.#bytes -= message.size_bytes;
    if (own.messages.size === 0) this.#accounts.delete(message.account);
  }

  #canWrite(stream: Writable): boolean {
    const { readyState, OPEN } = this.#socket;
    if (readyState !== OPEN) return false;
    if (this.#socket.bufferedAmount >= MAX_WRITTEN_BYTES) writeNow(stream);
    return this.#socket.bufferedAmount < MAX_WRITTEN_BYTES;
  }

  /**
   * Sends what the network accepts; messages sent in the same turn of the event loop are joined into one
   * write.
   */
  #sendNext(): void {
    const stream = this.#options.stream();
    if (stream === undefined) return;
    while (this.#accounts.size > 0 && this.#canWrite(stream)) {
      const [least] = this.#accounts.keys();
      const account = this.#accounts.has(undefined) ? undefined : least;
      const own = this.#accounts.get(account)!;
      const [message] = own.messages;
      this.#accounts.delete(account);
      this.#accounts.set(account, own);
      this.delete(message!);
      this.#send(message!, stream);
    }
  }

  #send(message: QueuedMessage, stream: Writable): void {
    joinWrites(stream);
    this.#socket.send(message.encode(), SEND_OPTIONS, this.#onSent);
  }
}
