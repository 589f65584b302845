import { ObjectScanner } from '../../json/object-scanner.ts';
import { JsonSyntaxError } from '../../json/scanner.ts';

/** Longest id of ours, with room. */
const ID_BYTES = 32;
const NULL = 'null';

/**
 * Reads a JSON-RPC response that comes in chunks, and gives out the bytes of its result as they
 * pass. Members may stand in any order: Agave writes the id behind the result.
 */
export class ResponseScanner {
  readonly #id: string;
  readonly #onResult: (bytes: Buffer) => void;
  readonly #scanner: ObjectScanner;
  #member = '';
  /** The beginning of the value of `id`, or of `error`. */
  #value = '';
  #results = 0;
  #isLarge = false;
  #hasError = false;
  #seenId: string | undefined;

  constructor(id: number, max_depth: number, onResult: (bytes: Buffer) => void) {
    this.#id = String(id);
    this.#onResult = onResult;
    this.#scanner = new ObjectScanner(
      {
        begin: (name) => this.#begin(name),
        piece: (bytes) => this.#piece(bytes),
        end: () => this.#end(),
      },
      max_depth,
    );
  }

  /** Whether a result has begun that is a string, an array or an object, and no error so far. */
  get hasLargeResult(): boolean {
    return this.#isLarge && !this.#hasError;
  }

  /** What is wrong with the response so far; undefined when nothing is. */
  feed(chunk: Buffer): string | undefined {
    return this.#try(() => this.#scanner.feed(chunk));
  }

  /** What is wrong with the response as a whole; undefined when it is the answer to the request. */
  end(): string | undefined {
    const flaw = this.#try(() => this.#scanner.end());
    if (flaw !== undefined) return flaw;
    if (this.#seenId === undefined) return 'the answer has no id';
    return this.#results === 1 ? undefined : 'the answer has no result';
  }

  #try(read: () => void): string | undefined {
    try {
      read();
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      return error.message;
    }
    if (this.#hasError && this.#isLarge) return 'the answer has an error behind its result';
    if (this.#results > 1) return 'the answer has two results';
    return this.#seenId === undefined || this.#seenId === this.#id
      ? undefined
      : 'the answer has another id than the request';
  }

  #begin(name: string): void {
    this.#member = name;
    this.#value = '';
    if (name === 'result') this.#results += 1;
  }

  #piece(bytes: Buffer): void {
    if (this.#member === 'result') {
      if (this.#results > 1) return;
      const first = bytes[0];
      this.#isLarge ||= first === 0x22 || first === 0x5b || first === 0x7b;
      this.#onResult(bytes);
    } else if (this.#value.length < ID_BYTES) {
      this.#value += bytes.toString('latin1', 0, ID_BYTES - this.#value.length);
    }
  }

  #end(): void {
    if (this.#member === 'id') this.#seenId = this.#value;
    if (this.#member === 'error' && this.#value !== NULL) this.#hasError = true;
  }
}
