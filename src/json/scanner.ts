/** The text is not JSON (RFC 8259), or nests deeper than the reader allows. `offset` counts bytes. */
export class JsonSyntaxError extends Error {
  readonly offset: number;

  constructor(detail: string, offset: number) {
    super(`${detail} at byte ${offset}`);
    this.name = 'JsonSyntaxError';
    this.offset = offset;
  }
}

/** Told where a member's name (without quotes) and its value stand. */
export type OnMember = (
  name_start: number,
  name_end: number,
  value_start: number,
  value_end: number,
) => void;
export type OnElement = (start: number, end: number) => void;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** 1 for the bytes a JSON string may hold unescaped: all from 0x20 but the quote and the backslash. */
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

/**
 * Walks JSON text byte by byte without building values, so that what is passed on keeps its bytes.
 * Checks the whole grammar of RFC 8259 but the UTF-8 of strings (see `scanText`).
 */
export class Scanner {
  readonly bytes: Uint8Array;
  readonly end: number;
  /** Where the next byte is read. */
  at: number;
  /** Object members passed so far, at any depth. */
  members = 0;
  readonly #view: DataView;
  #levels_left: number;

  constructor(bytes: Uint8Array, at: number, max_depth: number) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
    this.at = at;
    this.#levels_left = max_depth;
  }

  space(): void {
    const { bytes, end } = this;
    let at = this.at;
    while (at < end) {
      const byte = bytes[at]!;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
      at += 1;
    }
    this.at = at;
  }

  value(): void {
    const byte = this.bytes[this.at];
    if (byte === QUOTE) this.#string();
    else if (byte === 0x7b) this.object();
    else if (byte === 0x5b) this.array();
    else if (byte === 0x2d || isDigit(byte)) this.#number();
    else this.#literal(byte);
  }

  object(onMember?: OnMember): void {
    this.#descend();
    if (!this.#closesAtOnce(0x7d)) {
      do this.#member(onMember);
      while (this.#continues(0x7d));
    }
    this.#levels_left += 1;
  }

  array(onElement?: OnElement): void {
    this.#descend();
    if (!this.#closesAtOnce(0x5d)) {
      do {
        this.space();
        const start = this.at;
        this.value();
        onElement?.(start, this.at);
      } while (this.#continues(0x5d));
    }
    this.#levels_left += 1;
  }

  fail(detail: string): never {
    throw new JsonSyntaxError(this.at >= this.end ? 'unexpected end' : detail, this.at);
  }

  #descend(): void {
    if (this.#levels_left === 0) this.fail('nested too deeply');
    this.#levels_left -= 1;
    this.at += 1;
  }

  #closesAtOnce(close: number): boolean {
    this.space();
    if (this.bytes[this.at] !== close) return false;
    this.at += 1;
    return true;
  }

  #continues(close: number): boolean {
    this.space();
    const byte = this.bytes[this.at];
    if (byte !== COMMA && byte !== close) this.fail('expected a comma or the closing bracket');
    this.at += 1;
    return byte === COMMA;
  }

  #member(onMember: OnMember | undefined): void {
    this.space();
    if (this.bytes[this.at] !== QUOTE) this.fail('expected a member name');
    const name_start = this.at + 1;
    this.#string();
    const name_end = this.at - 1;
    this.space();
    if (this.bytes[this.at] !== 0x3a) this.fail('expected a colon');
    this.at += 1;
    this.space();
    const value_start = this.at;
    this.value();
    this.members += 1;
    onMember?.(name_start, name_end, value_start, this.at);
  }

  #string(): void {
    let at = this.#plainUntil(this.at + 1);
    for (;;) {
      this.at = at;
      const byte = this.bytes[at];
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) this.fail('control character in a string');
      at = this.#plainUntil(this.#escape());
    }
    this.at = at + 1;
  }

  /** Index of the first byte from `at` on that a string may not hold as it is; four bytes a step. */
  #plainUntil(start: number): number {
    const { bytes, end } = this;
    const view = this.#view;
    let at = start;
    while (at + 4 <= end) {
      const word = view.getUint32(at, true);
      const quotes = word ^ 0x22222222;
      const backslashes = word ^ 0x5c5c5c5c;
      // The high bit of a byte is set where the subtraction borrows: below 0x20, or equal to the mark.
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

  #escape(): number {
    const { bytes } = this;
    const letter = bytes[this.at + 1] ?? 0;
    if (ESCAPED[letter] === 1) return this.at + 2;
    const isUnicode =
      letter === 0x75 &&
      HEX[bytes[this.at + 2] ?? 0] === 1 &&
      HEX[bytes[this.at + 3] ?? 0] === 1 &&
      HEX[bytes[this.at + 4] ?? 0] === 1 &&
      HEX[bytes[this.at + 5] ?? 0] === 1;
    if (!isUnicode) this.fail('unknown escape in a string');
    return this.at + 6;
  }

  #number(): void {
    if (this.bytes[this.at] === 0x2d) this.at += 1;
    if (this.bytes[this.at] === 0x30) this.at += 1;
    else this.#digits();
    if (this.bytes[this.at] === 0x2e) {
      this.at += 1;
      this.#digits();
    }
    const exponent = this.bytes[this.at];
    if (exponent === 0x65 || exponent === 0x45) {
      this.at += 1;
      const sign = this.bytes[this.at];
      if (sign === 0x2b || sign === 0x2d) this.at += 1;
      this.#digits();
    }
  }

  #digits(): void {
    if (!isDigit(this.bytes[this.at])) this.fail('expected a digit');
    while (isDigit(this.bytes[this.at])) this.at += 1;
  }

  #literal(first: number | undefined): void {
    const literal = LITERALS.get(first ?? 0);
    if (literal === undefined) return this.fail('expected a value');
    for (let index = 0; index < literal.length; index += 1) {
      if (this.bytes[this.at + index] !== literal[index]) this.fail('expected a value');
    }
    this.at += literal.length;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
