import type { Socket } from 'node:net';
import { IdReader } from './id-reader.ts';

export interface MessageGateOptions {
  /** Size of the largest message that is passed on. */
  readonly message_bytes: number;
  /** How much of a larger message is read to get to the next one. */
  readonly discarded_bytes: number;
  readonly response_depth: number;
  /** A message larger than `message_bytes` begins. */
  readonly onOversized: () => void;
  /** The id of that message was found. Called at most once for each. */
  readonly onId: (id: string) => void;
  /** That message has no id that can be found, and is not the node's own request either. */
  readonly onUnknown: () => void;
  /**
   * That message is larger than `discarded_bytes`; whether its id, or that it has none, is known.
   * No more of what comes is passed on.
   */
  readonly onEndless: (isKnown: boolean) => void;
}

/** A message in one or more frames. */
interface Message {
  readonly ids: IdReader | undefined;
  readonly bytes: number;
  readonly isOversized: boolean;
}

interface Frame {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly head_bytes: number;
  readonly payload_bytes: number;
}

/** RFC 6455, section 5.2. */
const CONTINUATION = 0;
const FIRST_CONTROL_OPCODE = 8;
const LAST_EMPTY_CONTINUATION = Buffer.from([0x80, 0]);

/**
 * Sets aside messages that are too large to be collected, so that one of them costs only the call
 * it answers: `ws` closes the connection of every call instead, and before it has read whose answer
 * it is. Looks at the bytes a client receives after the handshake (RFC 6455, frames without mask or
 * extension) and passes them on, except the frames of such messages. Needs the same memory for a
 * message of any size.
 */
export class MessageGate {
  readonly #options: MessageGateOptions;
  /** Bytes of a frame's head whose end has not come. */
  #head = Buffer.alloc(0);
  #message: Message | undefined;
  /** Of the payload of the frame under way, still to come. */
  #left_bytes = 0;
  #isControl = false;
  #isLast = true;
  #isEnded = false;
  /** Messages passed on, those that the reader got, and which of them are without their end. */
  #passed = 0;
  #received = 0;
  readonly #truncated = new Set<number>();
  /** What ends the connection, once the reader has got what came before. */
  #ending: (() => void) | undefined;

  constructor(options: MessageGateOptions) {
    this.#options = options;
  }

  /**
   * Puts the gate between a socket and its reader, once the handshake is over. All that a socket
   * receives goes through its `push`; what came along with the handshake, through `unshift`.
   */
  guard(socket: Socket): void {
    const push = socket.push.bind(socket);
    const unshift = socket.unshift.bind(socket);
    socket.push = (chunk: Buffer | null) => {
      if (chunk === null) return push(null);
      const wantsMore = this.take(chunk).reduce((_, bytes) => push(bytes), true);
      this.#conclude();
      return wantsMore;
    };
    socket.unshift = (chunk: Buffer) => {
      for (const bytes of this.take(chunk).toReversed()) unshift(bytes);
    };
  }

  /** Whether the next message that the reader gets is the beginning of one that was set aside. */
  isNextTruncated(): boolean {
    this.#received += 1;
    return this.#truncated.delete(this.#received);
  }

  /** Returns what is passed on of the next bytes. */
  take(bytes: Buffer): readonly Buffer[] {
    const chunk = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
    this.#head = Buffer.alloc(0);
    const passed: Buffer[] = [];
    let from = 0;
    let at = 0;
    while (!this.#isEnded) {
      const end = Math.min(chunk.length, at + this.#left_bytes);
      if (end > at) this.#payload(chunk.subarray(at, end));
      at = end;
      if (this.#isSetAside) from = at;
      if (this.#left_bytes > 0) break;
      this.#endFrame();
      const frame = readFrame(chunk, at);
      if (frame === undefined) {
        this.#head = Buffer.from(chunk.subarray(at));
        break;
      }
      const closing = this.#beginFrame(frame);
      if (this.#isSetAside) passed.push(chunk.subarray(from, at), closing);
      at += frame.head_bytes;
    }
    passed.push(chunk.subarray(from, at));
    return passed.filter(({ length }) => length > 0);
  }

  get #isSetAside(): boolean {
    return !this.#isControl && this.#message?.isOversized === true;
  }

  /** Returns what ends the message for the reader, which may have got the beginning of it. */
  #beginFrame({ opcode, isLast, payload_bytes }: Frame): Buffer {
    const { message_bytes, response_depth } = this.#options;
    this.#left_bytes = payload_bytes;
    this.#isControl = opcode >= FIRST_CONTROL_OPCODE;
    if (this.#isControl) return Buffer.alloc(0);
    this.#isLast = isLast;
    const before = opcode === CONTINUATION ? this.#message : undefined;
    const bytes = (before?.bytes ?? 0) + payload_bytes;
    const isOversized = bytes > message_bytes;
    // A message in one frame is read only when it is known to be too large.
    const isRead = isOversized || !isLast;
    const ids = before?.ids ?? (isRead ? new IdReader(response_depth) : undefined);
    this.#message = { ids, bytes, isOversized };
    if (before === undefined && !isOversized) this.#passed += 1;
    if (isOversized && before?.isOversized !== true) {
      this.#options.onOversized();
      if (ids?.id !== undefined) this.#options.onId(ids.id);
      if (before !== undefined) this.#truncated.add(this.#passed);
    }
    return isOversized && before?.isOversized === false ? LAST_EMPTY_CONTINUATION : Buffer.alloc(0);
  }

  #payload(bytes: Buffer): void {
    this.#left_bytes -= bytes.length;
    const ids = this.#message?.ids;
    if (this.#isControl || ids === undefined) return;
    const wasKnown = isKnown(ids);
    ids.feed(bytes);
    if (!this.#isSetAside) return;
    if (!wasKnown && ids.id !== undefined) this.#options.onId(ids.id);
    if (ids.isBroken) this.#ending ??= this.#options.onUnknown;
    this.#boundDiscarded(this.#message!.bytes, isKnown(ids));
  }

  /** Stops at once where nothing more is to be learned from a message that is too long to wait for. */
  #boundDiscarded(bytes: number, isOfKnownCall: boolean): void {
    const { discarded_bytes } = this.#options;
    const read_bytes = isOfKnownCall ? bytes : bytes - this.#left_bytes;
    if (read_bytes <= discarded_bytes) return;
    this.#isEnded = true;
    this.#ending ??= () => this.#options.onEndless(isOfKnownCall);
  }

  #endFrame(): void {
    if (this.#isControl) {
      this.#isControl = false;
    } else if (this.#isLast && this.#message !== undefined) {
      const { ids, isOversized } = this.#message;
      this.#message = undefined;
      if (isOversized && ids !== undefined && !isKnown(ids)) {
        this.#ending ??= this.#options.onUnknown;
      }
    }
  }

  #conclude(): void {
    this.#ending?.();
    this.#ending = undefined;
  }
}

/** Whether it is known which call a message answers, or that it answers none. */
function isKnown({ id, isRequest, isBroken }: IdReader): boolean {
  return id !== undefined || (isRequest && !isBroken);
}

/** Reads the head of a frame; undefined when it is not whole. */
function readFrame(chunk: Buffer, at: number): Frame | undefined {
  if (chunk.length < at + 2) return undefined;
  const first = chunk[at]!;
  const length = chunk[at + 1]! & 0x7f;
  const head_bytes = length === 127 ? 10 : length === 126 ? 4 : 2;
  if (chunk.length < at + head_bytes) return undefined;
  return {
    opcode: first & 0x0f,
    isLast: (first & 0x80) !== 0,
    head_bytes,
    payload_bytes: payloadBytes(chunk, at + 2, length),
  };
}

function payloadBytes(chunk: Buffer, at: number, length: number): number {
  if (length === 127) return Number(chunk.readBigUInt64BE(at));
  return length === 126 ? chunk.readUInt16BE(at) : length;
}
