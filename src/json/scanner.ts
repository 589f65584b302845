import {
  BACKSLASH,
  COLON,
  COMMA,
  isDigit,
  literalFrom,
  QUOTE,
  spaceUntil,
  textUntil,
} from './bytes.ts';

/** Invalid JSON (RFC 8259), or nested too deeply. `offset` is in bytes. */
export class JsonSyntaxError extends Error {
  readonly offset: number;

  constructor(detail: string, offset: number) {
    super(`${detail} at byte ${offset}`);
    this.name = 'JsonSyntaxError';
    this.offset = offset;
  }
}

/** Nested more deeply than a scanner allows; the text may be valid otherwise. */
export class JsonDepthError extends JsonSyntaxError {
  constructor(offset: number) {
    super('nested too deeply', offset);
    this.name = 'JsonDepthError';
  }
}

/** Receives the ranges of a member's name (without quotes) and value. */
type OnMember = (
  name_start: number,
  name_end: number,
  value_start: number,
  value_end: number,
) => void;
type OnElement = (start: number, end: number) => void;

/**
 * Walks JSON text byte by byte without building values, so that forwarded parts keep their bytes.
 * Checks the grammar of RFC 8259 except the UTF-8 of strings (see `scanText`).
 */
export class Scanner {
  readonly bytes: Uint8Array;
  readonly end: number;
  /** Index of the next byte. */
  at: number;
  /** Number of object members so far, at any depth. */
  members = 0;
  /** Size of the longest member name so far, as written. */
  maxName_bytes = 0;
  private readonly view: DataView;
  private levels_left: number;

  constructor(bytes: Uint8Array, at: number, max_depth: number) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
    this.at = at;
    this.levels_left = max_depth;
  }

  space(): void {
    this.at = spaceUntil(this.bytes, this.at);
  }

  value(): void {
    const byte = this.bytes[this.at];
    if (byte === QUOTE) this.string();
    else if (byte === 0x7b) this.object();
    else if (byte === 0x5b) this.array();
    else if (byte === 0x2d || isDigit(byte)) this.number();
    else this.literal(byte);
  }

  object(onMember?: OnMember): void {
    this.descend();
    if (!this.closesAtOnce(0x7d)) {
      do this.member(onMember);
      while (this.continues(0x7d));
    }
    this.levels_left += 1;
  }

  array(onElement?: OnElement): void {
    this.descend();
    if (!this.closesAtOnce(0x5d)) {
      do {
        this.space();
        const start = this.at;
        this.value();
        onElement?.(start, this.at);
      } while (this.continues(0x5d));
    }
    this.levels_left += 1;
  }

  /** Reads an array whose elements `element` reads. The array does not count as a level. */
  elements(element: () => void): void {
    this.at += 1;
    if (this.closesAtOnce(0x5d)) return;
    do {
      this.space();
      element();
    } while (this.continues(0x5d));
  }

  fail(detail: string): never {
    throw new JsonSyntaxError(this.at >= this.end ? 'unexpected end' : detail, this.at);
  }

  private descend(): void {
    if (this.levels_left === 0) throw new JsonDepthError(this.at);
    this.levels_left -= 1;
    this.at += 1;
  }

  private closesAtOnce(close: number): boolean {
    this.space();
    if (this.bytes[this.at] !== close) return false;
    this.at += 1;
    return true;
  }

  private continues(close: number): boolean {
    this.space();
    const byte = this.bytes[this.at];
    if (byte !== COMMA && byte !== close) this.fail('expected a comma or the closing bracket');
    this.at += 1;
    return byte === COMMA;
  }

  private member(onMember: OnMember | undefined): void {
    this.space();
    if (this.bytes[this.at] !== QUOTE) this.fail('expected a member name');
    const name_start = this.at + 1;
    this.string();
    const name_end = this.at - 1;
    if (name_end - name_start > this.maxName_bytes) this.maxName_bytes = name_end - name_start;
    this.space();
    if (this.bytes[this.at] !== COLON) this.fail('expected a colon');
    this.at += 1;
    this.space();
    const value_start = this.at;
    this.value();
    this.members += 1;
    onMember?.(name_start, name_end, value_start, this.at);
  }

  private string(): void {
    this.at = textUntil(this.bytes, this.view, this.at + 1);
    const byte = this.bytes[this.at];
    if (byte === BACKSLASH) this.fail('unknown escape in a string');
    if (byte !== QUOTE) this.fail('control character in a string');
    this.at += 1;
  }

  private number(): void {
    if (this.bytes[this.at] === 0x2d) this.at += 1;
    if (this.bytes[this.at] === 0x30) this.at += 1;
    else this.digits();
    if (this.bytes[this.at] === 0x2e) {
      this.at += 1;
      this.digits();
    }
    const exponent = this.bytes[this.at];
    if (exponent === 0x65 || exponent === 0x45) {
      this.at += 1;
      const sign = this.bytes[this.at];
      if (sign === 0x2b || sign === 0x2d) this.at += 1;
      this.digits();
    }
  }

  private digits(): void {
    if (!isDigit(this.bytes[this.at])) this.fail('expected a digit');
    while (isDigit(this.bytes[this.at])) this.at += 1;
  }

  private literal(first: number | undefined): void {
    const literal = literalFrom(first);
    if (literal === undefined) return this.fail('expected a value');
    // Comparing in a loop is faster than making a Buffer for each of many literals.
    for (let index = 0; index < literal.length; index += 1) {
      if (this.bytes[this.at + index] !== literal[index]) this.fail('expected a value');
    }
    this.at += literal.length;
  }
}
