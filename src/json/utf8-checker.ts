import { isUtf8 } from 'node:buffer';

/** Maximum bytes per character (RFC 3629). */
const MAX_CHARACTER_BYTES = 4;

/** Checks that text in any chunks is UTF-8. */
export class Utf8Checker {
  /** The first bytes of a character that continues in the next chunk. */
  #pending: Buffer = Buffer.alloc(0);

  /** Whether the text is UTF-8 so far. An incomplete character at the end is not detected. */
  feed(chunk: Buffer): boolean {
    let from = 0;
    if (this.#pending.length > 0) {
      from = Math.min(lengthFrom(this.#pending[0]!) - this.#pending.length, chunk.length);
      const character = Buffer.concat([this.#pending, chunk.subarray(0, from)]);
      if (character.length < lengthFrom(character[0]!)) {
        this.#pending = character;
        return character.subarray(1).every(isContinuation);
      }
      this.#pending = Buffer.alloc(0);
      if (!isUtf8(character)) return false;
    }
    const to = Math.max(from, wholeUntil(chunk));
    if (to < chunk.length) this.#pending = Buffer.from(chunk.subarray(to));
    return isUtf8(chunk.subarray(from, to));
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
