import type { WebSocket } from 'ws';
import type { StreamFate } from '../rpc/call.ts';
import { SLICE_BYTES } from './send.ts';
import type { Site } from './site.ts';
import type { HeldAnswer, Holder } from './unsent-answers.ts';

interface OutgoingMessage {
  /** What is left to be handed to the socket; at least one slice. */
  readonly slices: Iterator<Slice>;
  next: Slice;
  held: HeldAnswer | undefined;
  readonly conclude: ((fate: StreamFate) => void) | undefined;
}

interface Slice {
  readonly bytes: Buffer;
  /** Of these, bytes that are there for this message only. */
  readonly own_bytes: number;
}

export interface OutboxOptions {
  readonly holder: Holder;
  /** Called whenever something was taken, or waits. */
  readonly onChange: (waiting_bytes: number) => void;
  /** Called when something was taken. */
  readonly onTaken: () => void;
}

export interface SentMessage {
  readonly account: string | undefined;
  readonly conclude?: ((fate: StreamFate) => void) | undefined;
}

/**
 * The messages a WebSocket has yet to take, one after the other, no faster than it takes them: large
 * ones in fragments (RFC 6455, section 5.4), so that none is copied and progress shows.
 */
export class SocketOutbox {
  readonly #socket: WebSocket;
  readonly #options: OutboxOptions;
  /** Those that are not sent whole; the first is being sent. */
  readonly #queue: OutgoingMessage[] = [];
  /** Those that are sent, or on their way, and not known to be taken. */
  readonly #messages = new Set<OutgoingMessage>();
  #waiting_bytes = 0;
  #closing: { readonly code: number; readonly reason: string } | undefined;

  constructor(socket: WebSocket, options: OutboxOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  push(
    { document, unsent }: Site,
    body: readonly Buffer[],
    { account, conclude }: SentMessage,
  ): void {
    const length = body.reduce((sum, { length }) => sum + length, 0);
    const slices = slicesOf(length > SLICE_BYTES ? body : [joined(body)], document);
    const message: OutgoingMessage = {
      slices,
      next: slices.next().value as Slice,
      held: undefined,
      conclude,
    };
    this.#waiting_bytes += length;
    this.#messages.add(message);
    this.#queue.push(message);
    this.#pump();
    // What the system has taken already is not held.
    if (this.#socket.bufferedAmount === 0) return;
    const own_bytes = body.reduce((sum, each) => sum + ownBytes(each, document), 0);
    const held = unsent.hold(this.#options.holder, account, own_bytes);
    if (this.#messages.has(message)) message.held = held;
    this.#options.onChange(this.#waiting_bytes);
  }

  /** Closes the connection once all of this is on its way. */
  close(code: number, reason: string): void {
    this.#closing ??= { code, reason };
    this.#pump();
  }

  /** Nothing more will be taken. */
  end(fate: StreamFate): void {
    this.#queue.length = 0;
    for (const message of this.#messages) this.#end(message, fate);
  }

  #pump(): void {
    for (;;) {
      const message = this.#queue[0];
      if (message === undefined) {
        if (this.#closing !== undefined) {
          this.#socket.close(this.#closing.code, this.#closing.reason);
        }
        return;
      }
      if (this.#socket.bufferedAmount >= SLICE_BYTES) return;
      const { next } = message;
      const following = message.slices.next();
      const fin = following.done === true;
      if (fin) this.#queue.shift();
      else message.next = following.value;
      this.#socket.send(next.bytes, { binary: false, fin }, (error) => {
        if (!error) this.#taken(message, next, fin);
      });
    }
  }

  #taken(message: OutgoingMessage, { bytes, own_bytes }: Slice, isLast: boolean): void {
    if (!this.#messages.has(message)) return;
    this.#waiting_bytes -= bytes.length;
    message.held?.taken(own_bytes);
    if (isLast) this.#end(message, 'all');
    this.#pump();
    this.#options.onTaken();
    this.#options.onChange(this.#waiting_bytes);
  }

  #end(message: OutgoingMessage, fate: StreamFate): void {
    this.#messages.delete(message);
    message.held?.release();
    message.conclude?.(fate);
  }
}

function joined(body: readonly Buffer[]): Buffer {
  return body.length === 1 ? body[0]! : Buffer.concat(body);
}

function ownBytes(chunk: Buffer, document: Buffer): number {
  return chunk === document ? 0 : chunk.length;
}

function* slicesOf(body: readonly Buffer[], document: Buffer): Generator<Slice> {
  for (const chunk of body) {
    for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
      const bytes = chunk.subarray(start, start + SLICE_BYTES);
      yield { bytes, own_bytes: ownBytes(chunk, document) === 0 ? 0 : bytes.length };
    }
  }
}
