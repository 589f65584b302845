/** Bytes that may stay in memory in addition to a part of a message. Not less than Node's pool of buffers. */
const MAX_REST_BYTES = 8_192;

/**
 * Returns a part of a message, as a copy if it is less than half of what it would keep in memory: the bytes of
 * a response are counted until it is delivered, the rest of the messages that its parts come from is not.
 */
export function detached(part: Buffer): Buffer {
  const isSmall = part.buffer.byteLength > 2 * part.length + MAX_REST_BYTES;
  return isSmall ? Buffer.from(part) : part;
}
