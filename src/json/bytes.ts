/** The structural bytes of JSON (RFC 8259). */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const MINUS = 0x2d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;

/** 1 for the bytes that need no escape in a string: from 0x20, except quote and backslash. */
const PLAIN = new Uint8Array(256).fill(1, 0x20);
PLAIN[QUOTE] = 0;
PLAIN[BACKSLASH] = 0;

const ESCAPED = new Uint8Array(256);
for (const letter of '"\\/bfnrt') ESCAPED[letter.charCodeAt(0)] = 1;

const HEX = new Uint8Array(256);
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = 1;

const LITERALS = new Map([
  [0x74, Buffer.from('true')],
  [0x66, Buffer.from('false')],
  [0x6e, Buffer.from('null')],
]);

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

export function isHex(byte: number | undefined): boolean {
  return HEX[byte ?? 0] === 1;
}

/** Whether a backslash and this letter are a complete escape; `u` is not. */
export function isEscaped(letter: number | undefined): boolean {
  return ESCAPED[letter ?? 0] === 1;
}

/** Returns the index of the first byte from `start` that is not whitespace. */
export function spaceUntil(bytes: Uint8Array, start: number): number {
  const end = bytes.length;
  let at = start;
  while (at < end && isSpace(bytes[at])) at += 1;
  return at;
}

/** Returns the literal that starts with `first`: true, false or null. */
export function literalFrom(first: number | undefined): Buffer | undefined {
  return LITERALS.get(first ?? 0);
}

/** Returns the index of the first byte from `start` that is neither plain nor part of a complete escape. */
export function textUntil(bytes: Uint8Array, view: DataView, start: number): number {
  let at = plainUntil(bytes, view, start);
  while (bytes[at] === BACKSLASH) {
    const next = escapeUntil(bytes, at);
    if (next === undefined) break;
    at = plainUntil(bytes, view, next);
  }
  return at;
}

/** Returns the index of the first byte from `start` that is not plain; checks four bytes per step. */
function plainUntil(bytes: Uint8Array, view: DataView, start: number): number {
  const end = bytes.length;
  let at = start;
  while (at + 4 <= end) {
    const word = view.getUint32(at, true);
    const quotes = word ^ 0x22222222;
    const backslashes = word ^ 0x5c5c5c5c;
    // The high bit of a byte is set where the subtraction borrows: below 0x20 or equal to the mark.
    const marks =
      ((word - 0x20202020) & ~word) |
      ((quotes - 0x01010101) & ~quotes) |
      ((backslashes - 0x01010101) & ~backslashes);
    if ((marks & 0x80808080) !== 0) break;
    at += 4;
  }
  while (at < end && PLAIN[bytes[at]!] === 1) at += 1;
  return at;
}

/** Returns the index after the escape whose backslash is at `at`; undefined if it is not a complete one. */
function escapeUntil(bytes: Uint8Array, at: number): number | undefined {
  const letter = bytes[at + 1];
  if (isEscaped(letter)) return at + 2;
  const isUnicode =
    letter === 0x75 &&
    isHex(bytes[at + 2]) &&
    isHex(bytes[at + 3]) &&
    isHex(bytes[at + 4]) &&
    isHex(bytes[at + 5]);
  return isUnicode ? at + 6 : undefined;
}
