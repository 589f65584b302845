import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  isDigit,
  isEscaped,
  isHex,
  isSpace,
  literalFrom,
  MINUS,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  spaceUntil,
  textUntil,
} from './bytes.ts';
import { isWhole, nextPart, type NumberPart } from './number-part.ts';
import { JsonDepthError, JsonSyntaxError } from './scanner.ts';
import { StructuralScan } from './structural-scan.ts';
import { Utf8Checker } from './utf8-checker.ts';

/** Receives the members of the outermost object. */
interface MemberSink {
  /** Called when a member's value starts. Long names are truncated. */
  begin(name: string): void;
  /** Receives the next bytes of the value: a slice of the chunk, not a copy. */
  piece(bytes: Buffer): void;
  end(): void;
}

/** What is expected next. */
type State =
  | 'value'
  | 'first element'
  | 'first name'
  | 'name'
  | 'colon'
  | 'comma'
  | 'string'
  | 'escape'
  | 'unicode'
  | 'number'
  | 'literal'
  | 'nothing';

const NAME_BYTES = 64;

/** How much of each member's value is checked in full. A value that is not larger is always valid. */
export const CHECKED_BYTES = 65_536;

/** Levels for which memory is reserved at first: most texts have no more. */
const FIRST_LEVELS = 32;

const NOTHING = Buffer.alloc(0);

const IN_ARRAY = 0;
const IN_OBJECT = 1;

/**
 * Checks a text that arrives in chunks: one JSON object (RFC 8259, UTF-8) with at most `max_depth`
 * levels. Stores only the current member's name, so that memory does not depend on the length.
 *
 * A member's value that is an object or array is checked in full up to `CHECKED_BYTES`; the rest of it is
 * checked only for UTF-8 and depth, to find its end. Everything else is checked in full.
 */
export class ObjectScanner {
  readonly #sink: MemberSink;
  readonly #utf8: Utf8Checker | undefined;
  readonly #max_depth: number;
  #containers: Uint8Array;
  #depth = 0;
  #state: State = 'value';
  #part: NumberPart = 'zero';
  #literal: Buffer = NOTHING;
  /** Bytes of the literal read, or hexadecimal digits of the escape left to read. */
  #count = 0;
  #isName = false;
  #name = '';
  /** Where the current member's value continues in this chunk; -1 outside of a value. */
  #from = -1;
  /** Total size of the previous chunks. */
  #passed = 0;
  /** Offset in the text up to which the current member's value is checked in full. */
  #checkedUntil = 0;
  /** Reads the rest of a large value. */
  #rest: StructuralScan | undefined;

  constructor(sink: MemberSink, max_depth: number, utf8: 'checked' | 'any' = 'checked') {
    this.#sink = sink;
    this.#utf8 = utf8 === 'checked' ? new Utf8Checker() : undefined;
    this.#max_depth = max_depth;
    this.#containers = new Uint8Array(Math.min(FIRST_LEVELS, max_depth));
  }

  /** Checks the next chunk. Throws JsonSyntaxError, after which no other chunk may follow. */
  feed(chunk: Buffer): void {
    if (this.#utf8?.feed(chunk) === false) this.#fail('not UTF-8', this.#utf8.invalidAt);
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
    if (this.#from !== -1) this.#from = 0;
    let at = 0;
    while (at < chunk.length) {
      const isRest = this.#depth > 1 && this.#passed + at >= this.#checkedUntil;
      at = isRest ? this.#skip(chunk, at) : this.#step(chunk, view, at);
    }
    if (this.#from !== -1) this.#sink.piece(chunk.subarray(this.#from));
    this.#passed += chunk.length;
  }

  /** Ends the text. Throws JsonSyntaxError if it is incomplete. */
  end(): void {
    if (this.#state !== 'nothing') this.#fail('unexpected end', 0);
  }

  /** Skips to the end of the member's value that contains `at`. Returns the index after it. */
  #skip(chunk: Buffer, at: number): number {
    this.#rest ??= new StructuralScan(
      {
        depth: this.#depth - 1,
        isInString: ['string', 'escape', 'unicode'].includes(this.#state),
        isEscaped: this.#state === 'escape',
      },
      this.#max_depth - 1,
    );
    const end = this.#rest.feed(chunk, at, (deep) => {
      throw new JsonDepthError(this.#passed + deep - 1);
    });
    if (end === undefined) return chunk.length;
    this.#rest = undefined;
    this.#isName = false;
    this.#depth = 1;
    return this.#close(chunk, end);
  }

  /** Reads one token, or its part in this chunk. Returns the index after it. */
  #step(chunk: Buffer, view: DataView, at: number): number {
    const byte = chunk[at]!;
    switch (this.#state) {
      case 'string':
        return this.#string(chunk, view, at);
      case 'escape':
        this.#keepName(chunk, at, at + 1);
        return this.#escape(byte, at);
      case 'unicode':
        if (!isHex(byte)) this.#fail('unknown escape in a string', at);
        this.#keepName(chunk, at, at + 1);
        this.#count -= 1;
        if (this.#count === 0) this.#state = 'string';
        return at + 1;
      case 'number':
        return this.#number(chunk, at);
      case 'literal':
        if (byte !== this.#literal[this.#count]) this.#fail('expected a value', at);
        this.#count += 1;
        return this.#count === this.#literal.length ? this.#close(chunk, at + 1) : at + 1;
      default:
        return isSpace(byte) ? spaceUntil(chunk, at + 1) : this.#structure(chunk, byte, at);
    }
  }

  #structure(chunk: Buffer, byte: number, at: number): number {
    switch (this.#state) {
      case 'first name':
      case 'name':
        if (byte === CLOSE_OBJECT && this.#state === 'first name') return this.#ascend(chunk, at);
        if (byte !== QUOTE) this.#fail('expected a member name', at);
        this.#isName = true;
        this.#name = '';
        this.#state = 'string';
        return at + 1;
      case 'colon':
        if (byte !== COLON) this.#fail('expected a colon', at);
        this.#state = 'value';
        return at + 1;
      case 'comma':
        return this.#afterValue(chunk, byte, at);
      case 'first element':
        return byte === CLOSE_ARRAY ? this.#ascend(chunk, at) : this.#value(byte, at);
      case 'value':
        return this.#value(byte, at);
      default:
        return this.#fail('text after the value', at);
    }
  }

  #value(byte: number, at: number): number {
    if (this.#depth === 0 && byte !== OPEN_OBJECT) this.#fail('expected an object', at);
    if (this.#depth === 1) {
      this.#from = at;
      this.#checkedUntil = this.#passed + at + CHECKED_BYTES;
      this.#sink.begin(decodeName(this.#name));
    }
    if (byte === QUOTE) {
      this.#isName = false;
      this.#state = 'string';
    } else if (byte === OPEN_OBJECT) {
      this.#descend(IN_OBJECT, at);
    } else if (byte === OPEN_ARRAY) {
      this.#descend(IN_ARRAY, at);
    } else if (byte === MINUS || isDigit(byte)) {
      this.#part = byte === MINUS ? 'minus' : byte === 0x30 ? 'zero' : 'integer';
      this.#state = 'number';
    } else {
      const literal = literalFrom(byte);
      if (literal === undefined) return this.#fail('expected a value', at);
      this.#literal = literal;
      this.#count = 1;
      this.#state = 'literal';
    }
    return at + 1;
  }

  #descend(container: number, at: number): void {
    if (this.#depth === this.#max_depth) throw new JsonDepthError(this.#passed + at);
    if (this.#depth === this.#containers.length) this.#addLevels();
    this.#containers[this.#depth] = container;
    this.#depth += 1;
    this.#state = container === IN_OBJECT ? 'first name' : 'first element';
  }

  #addLevels(): void {
    const levels = new Uint8Array(Math.min(2 * this.#depth, this.#max_depth));
    levels.set(this.#containers);
    this.#containers = levels;
  }

  #afterValue(chunk: Buffer, byte: number, at: number): number {
    const isObject = this.#containers[this.#depth - 1] === IN_OBJECT;
    if (byte === COMMA) {
      this.#state = isObject ? 'name' : 'value';
      return at + 1;
    }
    if (byte !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
      this.#fail('expected a comma or the closing bracket', at);
    }
    return this.#ascend(chunk, at);
  }

  #ascend(chunk: Buffer, at: number): number {
    this.#depth -= 1;
    return this.#close(chunk, at + 1);
  }

  /** Ends the value before `at`. */
  #close(chunk: Buffer, at: number): number {
    this.#state = this.#depth === 0 ? 'nothing' : 'comma';
    if (this.#depth === 1 && this.#from !== -1) {
      if (at > this.#from) this.#sink.piece(chunk.subarray(this.#from, at));
      this.#from = -1;
      this.#sink.end();
    }
    return at;
  }

  #string(chunk: Buffer, view: DataView, at: number): number {
    const stop = textUntil(chunk, view, at);
    this.#keepName(chunk, at, stop);
    if (stop === chunk.length) return stop;
    if (chunk[stop] === BACKSLASH) {
      this.#state = 'escape';
      this.#keepName(chunk, stop, stop + 1);
      return stop + 1;
    }
    if (chunk[stop] !== QUOTE) this.#fail('control character in a string', stop);
    if (!this.#isName) return this.#close(chunk, stop + 1);
    this.#isName = false;
    this.#state = 'colon';
    return stop + 1;
  }

  #escape(letter: number, at: number): number {
    if (isEscaped(letter)) {
      this.#state = 'string';
    } else {
      if (letter !== 0x75) this.#fail('unknown escape in a string', at);
      this.#state = 'unicode';
      this.#count = 4;
    }
    return at + 1;
  }

  #number(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at += 1) {
      const next = nextPart(this.#part, chunk[at]!);
      if (next === undefined) {
        if (!isWhole(this.#part)) this.#fail('expected a digit', at);
        return this.#close(chunk, at);
      }
      this.#part = next;
    }
    return chunk.length;
  }

  #keepName(chunk: Buffer, from: number, to: number): void {
    if (!this.#isName || this.#depth !== 1) return;
    const left = NAME_BYTES - this.#name.length;
    if (left > 0) this.#name += chunk.toString('latin1', from, Math.min(to, from + left));
  }

  #fail(detail: string, at: number): never {
    throw new JsonSyntaxError(detail, this.#passed + at);
  }
}

function decodeName(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    // Truncated within an escape.
    return raw;
  }
}
