import type { Socket } from 'node:net';
import { CONTINUATION, FIRST_CONTROL_OPCODE, readFrame, type Frame } from './frame.ts';
import type { Beat } from './heartbeat.ts';
import { IdReader } from './id-reader.ts';
import { JoinedPieces } from './joined-pieces.ts';

export interface MessageGateOptions {
  /** Maximum size of a message that is passed on. */
  readonly message_bytes: number;
  /** Size above which calls of other accounts should not wait behind a message. */
  readonly large_bytes: number;
  /**
   * Maximum size of an oversized message that is skipped to reach the next one, with 64 bytes more for each
   * frame.
   */
  readonly discarded_bytes: number;
  /** A message larger than `large_bytes` has begun. */
  readonly onLarge: () => void;
  /** The id of a message larger than `large_bytes`; undefined if it is not near the beginning. */
  readonly onLargeId: (id: string | undefined) => void;
  /** A message larger than `message_bytes` has begun. */
  readonly onOversized: () => void;
  /** The id of the oversized message was found. Called at most once per message. */
  readonly onId: (id: string) => void;
  /** The oversized message ended without a readable id. */
  readonly onUnknown: () => void;
  /**
   * The oversized message is larger than `discarded_bytes`, and nothing more is passed on. `isKnown`:
   * whether the call it answers, if any, was identified.
   */
  readonly onEndless: (isKnown: boolean) => void;
  /** The node sends too many pings or pongs, and nothing more is passed on. */
  readonly onFlood: () => void;
  /** A frame violates RFC 6455, so the next ones cannot be found, and nothing more is passed on. */
  readonly onInvalid: () => void;
  /** How many bytes of an incomplete message the reader keeps; called after each read. */
  readonly onHeld: (bytes: number) => void;
}

/** A message in one or more frames. */
interface Message {
  readonly ids: IdReader | undefined;
  readonly bytes: number;
  readonly frames: number;
  readonly isOversized: boolean;
}

/** Maximum frames of a message; above 16,384, `ws` closes the connection of all calls. */
const MAX_FRAMES = 16_000;

/** How much of a larger message is searched for its id: most nodes write it first. */
export const LEADING_BYTES = 65_536;

/** What a frame counts in an oversized message: skipping an empty one takes as long as these bytes. */
const DISCARDED_FRAME_BYTES = 64;

/**
 * Maximum pings and pongs between two heartbeats: a node needs only a few, and each takes more time
 * than the bytes of a message.
 */
const MAX_CONTROL_FRAMES = 1_000;

const NOTHING = Buffer.alloc(0);
const LAST_EMPTY_CONTINUATION = Buffer.from([0x80, 0]);

/**
 * Removes oversized messages from the bytes that a WebSocket client receives, so that each fails only
 * the call it answers. Without it, `ws` closes the connection of all calls before it has read which
 * call the message answers. Reads RFC 6455 frames without mask or extension after the handshake, in
 * constant memory for a message of any size.
 */
export class MessageGate {
  readonly #options: MessageGateOptions;
  /** The beginning of an incomplete frame header. */
  #header = NOTHING;
  #message: Message | undefined;
  /** Bytes of the payload of the current frame that have not arrived yet. */
  #left_bytes = 0;
  #isControl = false;
  /** Pings and pongs since the last heartbeat. */
  #controlFrames = 0;
  /** Since the last heartbeat: all bytes, and those of messages. */
  #received_bytes = 0;
  #data_bytes = 0;
  /** Whether a message was incomplete at the last heartbeat. */
  #wasIncomplete = false;
  #isLast = true;
  #isEnded = false;
  /**
   * The numbers of messages passed on and received by the reader, and which of them are truncated.
   */
  #passed = 0;
  #received = 0;
  readonly #truncated = new Set<number>();
  /** Reports an event after the reader has received the bytes before it. */
  #ending: (() => void) | undefined;

  constructor(options: MessageGateOptions) {
    this.#options = options;
  }

  /**
   * Puts the gate between a socket and its reader after the handshake. Received bytes pass through
   * `push`; those received together with the handshake, through `unshift`.
   */
  guard(socket: Socket): void {
    const push = socket.push.bind(socket);
    const unshift = socket.unshift.bind(socket);
    const pieces = new JoinedPieces();
    socket.push = (chunk: Buffer | null) => {
      if (chunk === null) return push(null);
      const isWithinFrame = this.#left_bytes > chunk.length;
      const passed = pieces.add(this.take(chunk), isWithinFrame);
      const wantsMore = passed.reduce((_, bytes) => push(bytes), true);
      this.finish();
      this.#options.onHeld(this.#held_bytes);
      return wantsMore;
    };
    socket.unshift = (chunk: Buffer) => {
      for (const bytes of this.take(chunk).toReversed()) unshift(bytes);
      setImmediate(() => this.finish());
    };
  }

  /** The id of the arriving message; undefined if it is small or its id is not near the beginning. */
  get id(): string | undefined {
    return this.#message?.ids?.id;
  }

  /** Whether a message has begun to arrive. */
  get hasBegun(): boolean {
    return this.#message !== undefined;
  }

  /** Whether the next message of the reader is the beginning of a removed one. */
  isNextTruncated(): boolean {
    this.#received += 1;
    return this.#truncated.delete(this.#received);
  }

  /** Returns what was received since the last heartbeat. */
  beat(): Beat {
    const received_bytes = this.#received_bytes;
    const isIncomplete = this.#message !== undefined;
    const isStuck = isIncomplete && this.#wasIncomplete && this.#data_bytes === 0;
    this.#wasIncomplete = isIncomplete;
    this.#data_bytes = 0;
    this.#received_bytes = 0;
    this.#controlFrames = 0;
    return { received_bytes, isStuck };
  }

  /** Takes the next bytes and returns those to pass on. */
  take(bytes: Buffer): readonly Buffer[] {
    this.#received_bytes += bytes.length;
    const chunk = this.#header.length === 0 ? bytes : Buffer.concat([this.#header, bytes]);
    this.#header = NOTHING;
    const passed: Buffer[] = [];
    let from = 0;
    let at = 0;
    while (!this.#isEnded) {
      const end = Math.min(chunk.length, at + this.#left_bytes);
      if (end > at) this.#payload(chunk.subarray(at, end));
      at = end;
      if (this.#isRemoved) from = at;
      if (this.#left_bytes > 0) break;
      this.#endFrame();
      if (this.#isEnded) break;
      const frame = readFrame(chunk, at);
      if (frame === undefined) {
        this.#header = Buffer.from(chunk.subarray(at));
        break;
      }
      if (!this.#isExpected(frame)) {
        this.#isEnded = true;
        this.#ending ??= this.#options.onInvalid;
        break;
      }
      const closing = this.#beginFrame(frame);
      // A chunk may have tens of thousands of empty frames.
      if (this.#isRemoved && at > from) passed.push(chunk.subarray(from, at));
      if (closing !== NOTHING) passed.push(closing);
      at += frame.header_bytes;
    }
    passed.push(chunk.subarray(from, at));
    return passed.filter(({ length }) => length > 0);
  }

  get #held_bytes(): number {
    if (this.#message === undefined || this.#message.isOversized) return 0;
    return this.#message.bytes - (this.#isControl ? 0 : this.#left_bytes);
  }

  get #isRemoved(): boolean {
    return !this.#isControl && this.#message?.isOversized === true;
  }

  /** Whether a frame is valid, and continues a message exactly when one is incomplete. */
  #isExpected({ opcode, isValid }: Frame): boolean {
    const isControl = opcode >= FIRST_CONTROL_OPCODE;
    const isContinued = this.#message !== undefined;
    return isValid && (isControl || (opcode === CONTINUATION) === isContinued);
  }

  /** Begins a frame. Returns the bytes that end the message for a reader that has received its beginning. */
  #beginFrame({ opcode, isLast, payload_bytes }: Frame): Buffer {
    const { message_bytes, large_bytes, onLarge, onLargeId } = this.#options;
    this.#left_bytes = payload_bytes;
    this.#isControl = opcode >= FIRST_CONTROL_OPCODE;
    if (this.#isControl) {
      this.#countControlFrame();
      return NOTHING;
    }
    this.#isLast = isLast;
    const before = this.#message;
    const bytes = (before?.bytes ?? 0) + payload_bytes;
    const frames = (before?.frames ?? 0) + 1;
    const isLarge = bytes > large_bytes;
    if (isLarge && (before?.bytes ?? 0) <= large_bytes) {
      onLarge();
      const id = before?.ids?.id;
      if (id !== undefined || (before?.bytes ?? 0) > LEADING_BYTES) onLargeId(id);
    }
    const isOversized = bytes > message_bytes || frames > MAX_FRAMES;
    const isRead = bytes > LEADING_BYTES || isOversized || !isLast;
    const ids = before?.ids ?? (isRead ? new IdReader() : undefined);
    this.#message = { ids, bytes, frames, isOversized };
    if (before === undefined && !isOversized) this.#passed += 1;
    if (isOversized && before?.isOversized !== true) {
      this.#options.onOversized();
      if (ids?.id !== undefined) this.#options.onId(ids.id);
      if (before !== undefined) this.#truncated.add(this.#passed);
    }
    return isOversized && before?.isOversized === false ? LAST_EMPTY_CONTINUATION : NOTHING;
  }

  #payload(bytes: Buffer): void {
    this.#left_bytes -= bytes.length;
    if (!this.#isControl) this.#data_bytes += bytes.length;
    const message = this.#message;
    const ids = message?.ids;
    if (this.#isControl || message === undefined || ids === undefined) return;
    const received_bytes = message.bytes - this.#left_bytes;
    const isPassedOn = this.#isLast && !message.isOversized;
    if (isPassedOn && received_bytes - bytes.length > LEADING_BYTES) return;
    const wasKnown = isKnown(ids);
    ids.feed(bytes);
    const isLeading = received_bytes - bytes.length <= LEADING_BYTES;
    const isMissing = isLeading && received_bytes > LEADING_BYTES && ids.id === undefined;
    const isFound = !wasKnown && ids.id !== undefined;
    if ((isFound || isMissing) && message.bytes > this.#options.large_bytes) {
      this.#options.onLargeId(ids.id);
    }
    if (!this.#isRemoved) return;
    if (!wasKnown && ids.id !== undefined) this.#options.onId(ids.id);
    this.#checkDiscarded(message);
  }

  /**
   * Stops when a message is too long to skip: at once if its call is known, otherwise after
   * `discarded_bytes`, because reading on could identify the call.
   */
  #checkDiscarded({ ids, bytes, frames }: Message): void {
    const isKnownCall = isKnown(ids!);
    const read_bytes = isKnownCall ? bytes : bytes - this.#left_bytes;
    const { discarded_bytes } = this.#options;
    if (read_bytes + frames * DISCARDED_FRAME_BYTES > discarded_bytes) this.#end(isKnownCall);
  }

  #end(isKnownCall: boolean): void {
    this.#isEnded = true;
    this.#ending ??= () => this.#options.onEndless(isKnownCall);
  }

  #countControlFrame(): void {
    this.#controlFrames += 1;
    if (this.#controlFrames <= MAX_CONTROL_FRAMES) return;
    this.#isEnded = true;
    this.#ending ??= this.#options.onFlood;
  }

  #endFrame(): void {
    if (this.#isControl) {
      this.#isControl = false;
    } else if (this.#isLast && this.#message !== undefined) {
      const { ids, isOversized } = this.#message;
      this.#message = undefined;
      if (isOversized && ids?.id === undefined) {
        this.#ending ??= this.#options.onUnknown;
      }
    } else if (this.#message?.isOversized === true) {
      this.#checkDiscarded(this.#message);
    }
  }

  /** Reports the event in the bytes taken last, if any, after the reader has received the others. */
  finish(): void {
    this.#ending?.();
    this.#ending = undefined;
  }
}

/** Whether it is known which call a message answers, or that it answers none. */
function isKnown({ id, isRequest, isBroken }: IdReader): boolean {
  return id !== undefined || (isRequest && !isBroken);
}
