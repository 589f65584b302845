/** The header of a WebSocket frame without mask or extension (RFC 6455, section 5.2). */
export interface Frame {
  readonly opcode: number;
  readonly isLast: boolean;
  /** False for masks, extensions, unknown opcodes, and control frames that are long or fragmented. */
  readonly isValid: boolean;
  readonly header_bytes: number;
  readonly payload_bytes: number;
}

export const CONTINUATION = 0;
export const FIRST_CONTROL_OPCODE = 8;

/** Continuation, text, binary; close, ping, pong. */
const opcodes: ReadonlySet<number> = new Set([CONTINUATION, 1, 2, FIRST_CONTROL_OPCODE, 9, 10]);

const MAX_CONTROL_BYTES = 125;

/** Reads a frame header; undefined when it is incomplete. */
export function readFrame(chunk: Buffer, at: number): Frame | undefined {
  if (chunk.length < at + 2) return undefined;
  const first = chunk[at]!;
  const length = chunk[at + 1]! & 0x7f;
  const header_bytes = length === 127 ? 10 : length === 126 ? 4 : 2;
  if (chunk.length < at + header_bytes) return undefined;
  const opcode = first & 0x0f;
  const isLast = (first & 0x80) !== 0;
  const payload_bytes = payloadBytes(chunk, at + 2, length);
  const isMasked = (chunk[at + 1]! & 0x80) !== 0;
  const isExtended = (first & 0x70) !== 0;
  const isShort = isLast && length <= MAX_CONTROL_BYTES;
  const isValid =
    !isMasked &&
    !isExtended &&
    opcodes.has(opcode) &&
    (opcode < FIRST_CONTROL_OPCODE || isShort) &&
    // RFC 6455 allows 63 bits, which no number and no memory holds.
    payload_bytes <= Number.MAX_SAFE_INTEGER;
  return { opcode, isLast, isValid, header_bytes, payload_bytes };
}

function payloadBytes(chunk: Buffer, at: number, length: number): number {
  if (length === 127) return Number(chunk.readBigUInt64BE(at));
  return length === 126 ? chunk.readUInt16BE(at) : length;
}
