/** The header of a WebSocket frame without mask or extension (RFC 6455, section 5.2). */
export interface Frame {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly header_bytes: number;
  readonly payload_bytes: number;
}

export const CONTINUATION = 0;
export const FIRST_CONTROL_OPCODE = 8;

/** Reads a frame header; undefined when it is incomplete. */
export function readFrame(chunk: Buffer, at: number): Frame | undefined {
  if (chunk.length < at + 2) return undefined;
  const first = chunk[at]!;
  const length = chunk[at + 1]! & 0x7f;
  const header_bytes = length === 127 ? 10 : length === 126 ? 4 : 2;
  if (chunk.length < at + header_bytes) return undefined;
  return {
    opcode: first & 0x0f,
    isLast: (first & 0x80) !== 0,
    header_bytes,
    payload_bytes: payloadBytes(chunk, at + 2, length),
  };
}

function payloadBytes(chunk: Buffer, at: number, length: number): number {
  if (length === 127) return Number(chunk.readBigUInt64BE(at));
  return length === 126 ? chunk.readUInt16BE(at) : length;
}
