import { isUtf8 } from 'node:buffer';

/** Longest encoding of one character (RFC 3629). */
const LONGEST_BYTES = 4;

/** Checks that text which comes in chunks is UTF-8, wherever the chunks are cut. */
export class Utf8Checker {
  /** The first bytes of a character whose rest is in the next chunk. */
  #begun: Buffer = Buffer.alloc(0);

  /** Whether the text is UTF-8 so far. A character left unfinished at the end is not told. */
  feed(chunk: Buffer): boolean {
    let from = 0;
    if (this.#begun.length > 0) {
      from = Math.min(lengthFrom(this.#begun[0]!) - this.#begun.length, chunk.length);
      const character = Buffer.concat([this.#begun, chunk.subarray(0, from)]);
      if (character.length < lengthFrom(character[0]!)) {
        this.#begun = character;
        return character.subarray(1).every(isContinuation);
      }
      this.#begun = Buffer.alloc(0);
      if (!isUtf8(character)) return false;
    }
    const to = Math.max(from, wholeUntil(chunk));
    if (to < chunk.length) this.#begun = Buffer.from(chunk.subarray(to));
    return isUtf8(chunk.subarray(from, to));
  }
}

/** Index behind the last character that is all in `chunk`. */
function wholeUntil(chunk: Buffer): number {
  const lowest = Math.max(0, chunk.length - LONGEST_BYTES + 1);
  for (let at = chunk.length - 1; at >= lowest; at -= 1) {
    const byte = chunk[at]!;
    if (isContinuation(byte)) continue;
    return at + lengthFrom(byte) > chunk.length ? at : chunk.length;
  }
  return chunk.length;
}

/** Bytes of the character that begins with `byte`; 1 for what begins none. */
function lengthFrom(byte: number): number {
  if (byte >= 0xf0 && byte < 0xf8) return 4;
  if (byte >= 0xe0) return byte < 0xf0 ? 3 : 1;
  return byte >= 0xc0 ? 2 : 1;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
