import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Reservation } from './byte-budget.ts';
import { SmallPieces, type TakeCall } from './small-pieces.ts';

/** Close code of RFC 6455, section 7.4.1. */
const POLICY_VIOLATION = 1008;

export interface PartialMessageOptions {
  readonly connection: Duplex;
  readonly held: Reservation;
  /** How long one message may take to arrive. */
  readonly timeout_ms: number;
  readonly onTooSlow: () => void;
  /** The account holds too many bytes, or the message has too many small fragments. */
  readonly onTooLarge: () => void;
  /** Called for each 256 small fragments. */
  readonly takeCall: TakeCall;
}

/**
 * Counts the part of a WebSocket message that has arrived, which ws keeps until the message is complete.
 * Must be called before other listeners for messages are added.
 */
export function watchPartialMessages(
  socket: WebSocket,
  { connection, held, timeout_ms, onTooSlow, onTooLarge, takeCall }: PartialMessageOptions,
): void {
  const partial = new PartialMessage(takeCall);
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    // While nothing is read, the client cannot finish its message.
    if (socket.isPaused) timer?.refresh();
    else onTooSlow();
  };
  const apply = (bytes: number): void => {
    if (bytes === 0) {
      clearTimeout(timer);
      timer = undefined;
    } else {
      timer ??= setTimeout(check, timeout_ms).unref();
    }
    if (!held.resize(bytes)) onTooLarge();
  };
  // Counts the bytes before ws parses them and emits the messages they complete; applies the count
  // afterwards.
  connection.prependListener('data', (chunk: Buffer) => {
    if (partial.take(chunk)) return;
    // Without the cut, ws would parse what the client sends until it closes.
    socket.close(POLICY_VIOLATION, 'too many small fragments');
    onTooLarge();
  });
  connection.on('data', () => {
    if (socket.readyState === socket.OPEN) apply(partial.held_bytes);
  });
  socket.on('message', () => apply(0));
  socket.on('close', () => apply(0));
}

interface Frame {
  readonly header_bytes: number;
  readonly payload_bytes: number;
  readonly isControl: boolean;
  readonly endsMessage: boolean;
}

const EMPTY = Buffer.alloc(0);

/**
 * Memory that each chunk or fragment of an unfinished message takes, however small it is. Measured with
 * Node 24: 135 bytes for a fragment, 480 for a chunk.
 */
const PIECE_BYTES = 512;

/** Tracks the unfinished message in the bytes that a WebSocket client sends (RFC 6455, section 5.2). */
export class PartialMessage {
  /** The beginning of an incomplete frame header. */
  #header: Buffer = EMPTY;
  /** The current frame, if its header is complete. */
  #frame: Frame | undefined;
  #left_bytes = 0;
  /** Complete fragments with their headers. */
  #fragments_bytes = 0;
  /** Chunks and fragments since the message began. */
  #pieces = 0;
  readonly #small: SmallPieces;

  constructor(takeCall: TakeCall) {
    this.#small = new SmallPieces(takeCall);
  }

  /** The memory that the message takes: its bytes, or more when it comes in many small pieces. */
  get held_bytes(): number {
    const { header_bytes, payload_bytes } = this.#frame ?? { header_bytes: 0, payload_bytes: 0 };
    const current_bytes = header_bytes + payload_bytes - this.#left_bytes + this.#header.length;
    return Math.max(this.#fragments_bytes + current_bytes, this.#pieces * PIECE_BYTES);
  }

  /** Takes the next bytes. Returns whether the message may have as many small fragments. */
  take(chunk: Buffer): boolean {
    let mayContinue = true;
    const bytes = this.#header.length === 0 ? chunk : Buffer.concat([this.#header, chunk]);
    this.#header = EMPTY;
    this.#pieces += 1;
    let at = this.#skip(bytes, 0);
    while (this.#left_bytes === 0) {
      this.#endFrame();
      this.#frame = readFrame(bytes, at);
      if (this.#frame === undefined) {
        this.#header = Buffer.from(bytes.subarray(at));
        break;
      }
      const { header_bytes, payload_bytes, isControl } = this.#frame;
      this.#left_bytes = payload_bytes;
      if (!isControl) {
        this.#pieces += 1;
        mayContinue = this.#small.add(payload_bytes) && mayContinue;
      }
      at = this.#skip(bytes, at + header_bytes);
    }
    const isComplete = this.#frame === undefined && this.#header.length === 0;
    if (isComplete && this.#fragments_bytes === 0) this.#pieces = 0;
    return mayContinue;
  }

  /** Skips payload of the current frame from `at`; returns its end. */
  #skip(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left_bytes);
    this.#left_bytes -= end - at;
    return end;
  }

  #endFrame(): void {
    if (this.#frame === undefined || this.#frame.isControl) return;
    const { header_bytes, payload_bytes, endsMessage } = this.#frame;
    if (endsMessage) {
      this.#pieces = 0;
      this.#small.restart();
    }
    this.#fragments_bytes = endsMessage ? 0 : this.#fragments_bytes + header_bytes + payload_bytes;
  }
}

const FIRST_CONTROL_OPCODE = 8;
const MASK_BYTES = 4;

/** Reads a frame header; undefined when it is incomplete. */
function readFrame(bytes: Buffer, at: number): Frame | undefined {
  if (bytes.length < at + 2) return undefined;
  const first = bytes[at]!;
  const second = bytes[at + 1]!;
  const length = second & 0x7f;
  const length_bytes = length === 127 ? 8 : length === 126 ? 2 : 0;
  const header_bytes = 2 + length_bytes + ((second & 0x80) === 0 ? 0 : MASK_BYTES);
  if (bytes.length < at + header_bytes) return undefined;
  return {
    header_bytes,
    payload_bytes: payloadBytes(bytes, at + 2, length),
    isControl: (first & 0x0f) >= FIRST_CONTROL_OPCODE,
    endsMessage: (first & 0x80) !== 0,
  };
}

function payloadBytes(bytes: Buffer, at: number, length: number): number {
  if (length === 127) return Number(bytes.readBigUInt64BE(at));
  return length === 126 ? bytes.readUInt16BE(at) : length;
}
