import type { Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import type { DeliveryOutcome } from '../rpc/call.ts';
import { joinWrites, writeNow } from '../time/joined-writes.ts';
import type { NetworkService } from './network-service.ts';
import { SLICE_BYTES } from './send.ts';
import type { HeldAnswer, Holder, UnsentAnswers } from './unsent-answers.ts';

type Settle = (delivery: DeliveryOutcome) => void;

interface OutgoingMessage {
  /** The slices after `next`; undefined for a message of one slice. */
  readonly slices: Iterator<Slice> | undefined;
  next: Slice;
  readonly account: string | undefined;
  /** Bytes held in memory for this message only. */
  readonly own_bytes: number;
  readonly unsent: UnsentAnswers;
  held: HeldAnswer | undefined;
  readonly settle: Settle | undefined;
  isEnded: boolean;
}

interface Slice {
  readonly bytes: Buffer;
  /** Bytes held in memory for this message only. */
  readonly own_bytes: number;
}

export interface OutboxOptions {
  /** The stream that the WebSocket was opened on. */
  readonly stream: Writable;
  readonly holder: Holder;
  /** Called when the number of waiting bytes changes. */
  readonly onChange: (waiting_bytes: number) => void;
  /** Called when the other end has read something. */
  readonly onProgress: () => void;
}

export interface SentMessage {
  readonly account: string | undefined;
  readonly settle?: Settle | undefined;
}

/**
 * Sends the messages of a WebSocket one after the other, at the pace of the reader. Small messages of one
 * turn of the event loop are joined into one write. Large ones are sent in fragments (RFC 6455, section
 * 5.4), so that they are not copied and progress is visible.
 */
export class SocketOutbox {
  readonly #socket: WebSocket;
  readonly #options: OutboxOptions;
  /** Messages not handed to the socket in full; the first is being sent. */
  readonly #queue: OutgoingMessage[] = [];
  /** Messages whose delivery has not ended. */
  readonly #messages: OutgoingMessage[] = [];
  readonly #onWritten = (): void => this.#holdUnsent();
  #waiting_bytes = 0;
  #closing: { readonly code: number; readonly reason: string } | undefined;

  constructor(socket: WebSocket, options: OutboxOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  push(
    { document, unsent }: NetworkService,
    body: readonly Buffer[],
    { account, settle }: SentMessage,
  ): void {
    let length = 0;
    let own_bytes = 0;
    for (const chunk of body) {
      length += chunk.length;
      own_bytes += ownBytes(chunk, document);
    }
    const slices = length > SLICE_BYTES ? slicesOf(body, document) : undefined;
    const message: OutgoingMessage = {
      slices,
      next: (slices?.next().value as Slice | undefined) ?? { bytes: joined(body), own_bytes },
      account,
      own_bytes,
      unsent,
      held: undefined,
      settle,
      isEnded: false,
    };
    this.#waiting_bytes += length;
    this.#messages.push(message);
    this.#queue.push(message);
    this.#pump();
    if (this.#queue.length > 0) this.#holdUnsent();
  }

  /** Counts as unsent what the operating system has not taken. */
  #holdUnsent(): void {
    if (this.#socket.bufferedAmount === 0) return;
    for (const message of this.#messages) {
      if (message.held !== undefined) continue;
      const { unsent, account, own_bytes } = message;
      const held = unsent.hold(this.#options.holder, account, own_bytes);
      // Holding it may have cut this connection.
      if (!message.isEnded) message.held = held;
    }
    this.#options.onChange(this.#waiting_bytes);
  }

  /** Closes the connection once all messages are handed to the socket. */
  close(code: number, reason: string): void {
    this.#closing ??= { code, reason };
    this.#pump();
  }

  /** Ends the delivery of all messages. */
  end(delivery: DeliveryOutcome): void {
    this.#queue.length = 0;
    this.#waiting_bytes = 0;
    // `#end` removes the message.
    while (this.#messages.length > 0) this.#end(this.#messages[0]!, delivery);
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
      if (this.#isFull()) return;
      const { next } = message;
      const following = message.slices?.next();
      const fin = following === undefined || following.done === true;
      if (fin) this.#queue.shift();
      else message.next = following.value;
      joinWrites(this.#options.stream, this.#onWritten);
      this.#socket.send(next.bytes, { binary: false, fin }, (error) => {
        if (!error) this.#sent(message, next, fin);
      });
    }
  }

  /** Whether the socket waits for the operating system to take more. */
  #isFull(): boolean {
    if (this.#socket.bufferedAmount >= SLICE_BYTES) writeNow(this.#options.stream);
    return this.#socket.bufferedAmount >= SLICE_BYTES;
  }

  #sent(message: OutgoingMessage, { bytes, own_bytes }: Slice, isLast: boolean): void {
    if (message.isEnded) return;
    this.#waiting_bytes -= bytes.length;
    message.held?.sent(own_bytes);
    if (isLast) this.#end(message, 'complete');
    this.#pump();
    this.#options.onProgress();
    this.#options.onChange(this.#waiting_bytes);
  }

  #end(message: OutgoingMessage, delivery: DeliveryOutcome): void {
    message.isEnded = true;
    // The first one, since messages are sent in order.
    this.#messages.splice(this.#messages.indexOf(message), 1);
    message.held?.release();
    message.settle?.(delivery);
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
