import { isUtf8 } from 'node:buffer';

/** Maximum bytes per character (RFC 3629). */
const MAX_CHARACTER_BYTES = 4;

/** How much is decoded to find an invalid character. */
const SLICE_BYTES = 4_096;

/** Returns the offset of the first character of `bytes` that is not UTF-8; their length if there is none. */
export function invalidUtf8At(bytes: Buffer): number {
  if (isUtf8(bytes)) return bytes.length;
  const { start, slice } = invalidSlice(bytes);
  // Decoding replaces what is invalid, so everything before the first difference is valid.
  const written = Buffer.from(slice.toString('utf8'));
  let at = 0;
  while (at < slice.length && slice[at] === written[at]) at += 1;
  // The replacement may begin with the same bytes as what it replaces.
  while (at > 0 && isContinuation(written[at]!)) at -= 1;
  return start + at;
}

/** Returns the first slice that is not UTF-8: decoding a whole message takes milliseconds. */
function invalidSlice(bytes: Buffer): { readonly start: number; readonly slice: Buffer } {
  for (let start = 0; ;) {
    const next = bytes.subarray(start, start + SLICE_BYTES);
    const slice = next.subarray(0, wholeUntil(next));
    const isLast = slice.length === 0 || start + next.length === bytes.length;
    if (isLast || !isUtf8(slice)) return { start, slice: isLast ? next : slice };
    start += slice.length;
  }
}

/** Checks that a text is UTF-8; its chunks may split characters. */
export class Utf8Checker {
  /** The first bytes of a character that continues in the next chunk. */
  #pending: Buffer = Buffer.alloc(0);

  /** Where in the latest chunk the first invalid character begins; negative: in an earlier chunk. */
  invalidAt = 0;

  /** Whether the text is UTF-8 so far. An incomplete character at the end is not detected. */
  feed(chunk: Buffer): boolean {
    let from = 0;
    if (this.#pending.length > 0) {
      from = Math.min(lengthFrom(this.#pending[0]!) - this.#pending.length, chunk.length);
      const character = Buffer.concat([this.#pending, chunk.subarray(0, from)]);
      if (character.length < lengthFrom(character[0]!)) {
        this.invalidAt = -this.#pending.length;
        this.#pending = character;
        return character.subarray(1).every(isContinuation);
      }
      this.invalidAt = -this.#pending.length;
      this.#pending = Buffer.alloc(0);
      if (!isUtf8(character)) return false;
    }
    const to = Math.max(from, wholeUntil(chunk));
    if (to < chunk.length) this.#pending = Buffer.from(chunk.subarray(to));
    const whole = chunk.subarray(from, to);
    if (isUtf8(whole)) return true;
    this.invalidAt = from + invalidUtf8At(whole);
    return false;
  }
}

/** Returns the index after the last complete character in `chunk`. */
function wholeUntil(chunk: Buffer): number {
  const lowest = Math.max(0, chunk.length - MAX_CHARACTER_BYTES + 1);
  for (let at = chunk.length - 1; at >= lowest; at -= 1) {
    const byte = chunk[at]!;
    if (isContinuation(byte)) continue;
    return at + lengthFrom(byte) > chunk.length ? at : chunk.length;
  }
  return chunk.length;
}

/** Returns the size of the character that starts with `byte`; 1 if none does. */
function lengthFrom(byte: number): number {
  if (byte >= 0xf0 && byte < 0xf8) return 4;
  if (byte >= 0xe0) return byte < 0xf0 ? 3 : 1;
  return byte >= 0xc0 ? 2 : 1;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
