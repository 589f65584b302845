import { ObjectScanner } from '../../json/object-scanner.ts';
import { checkMembers } from '../../json/ranges.ts';
import { failure, type Failure } from '../upstream.ts';
import { ERROR_TOO_LARGE, MAX_ERROR_BYTES, syntaxFailure, wrongId } from '../json-rpc.ts';

/** Longer than any id that the gateway sends. */
const MAX_ID_CHARACTERS = 32;

/**
 * Reads a JSON-RPC response in chunks and passes on the bytes of its result. Members may come in any
 * order: Agave writes the id after the result.
 */
export class ResponseScanner {
  readonly #id: number;
  readonly #onResult: (bytes: Buffer) => void;
  readonly #scanner: ObjectScanner;
  #members = 0;
  #member = '';
  /** The beginning of the value of `id` or `error`. */
  #value = '';
  #error_bytes = 0;
  #results = 0;
  #isLarge = false;
  #hasError = false;
  #seenId: string | undefined;

  constructor(id: number, max_depth: number, onResult: (bytes: Buffer) => void) {
    this.#id = id;
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

  /** Whether the result has begun and is a string, array or object, and no error has been seen. */
  get hasLargeResult(): boolean {
    return this.#isLarge && !this.#hasError;
  }

  /** Returns what is wrong with the response so far. */
  feed(chunk: Buffer): Failure | undefined {
    return this.#check(() => this.#scanner.feed(chunk));
  }

  /** Returns what is wrong with the whole response. */
  end(): Failure | undefined {
    const failed = this.#check(() => this.#scanner.end());
    if (failed !== undefined) return failed;
    if (this.#seenId === undefined) return failure('malformed', 'response has no id');
    return this.#results === 1 ? undefined : failure('malformed', 'response has no result');
  }

  #check(read: () => void): Failure | undefined {
    try {
      read();
    } catch (error) {
      return syntaxFailure(error);
    }
    if (this.#error_bytes > MAX_ERROR_BYTES) return ERROR_TOO_LARGE;
    if (this.#hasError && this.#isLarge) {
      return failure('malformed', 'response has an error after its result');
    }
    if (this.#results > 1) return failure('malformed', 'response has two results');
    const isOwn = this.#seenId === undefined || this.#seenId === String(this.#id);
    return isOwn ? undefined : wrongId(this.#id, this.#seenId);
  }

  #begin(name: string): void {
    this.#members += 1;
    checkMembers(this.#members);
    this.#member = name;
    this.#value = '';
    if (name === 'result') this.#results += 1;
  }

  #piece(bytes: Buffer): void {
    if (this.#member === 'error') this.#error_bytes += bytes.length;
    if (this.#member === 'result') {
      if (this.#results > 1) return;
      const first = bytes[0];
      this.#isLarge ||= first === 0x22 || first === 0x5b || first === 0x7b;
      this.#onResult(bytes);
    } else if (this.#value.length < MAX_ID_CHARACTERS) {
      this.#value += bytes.toString('latin1', 0, MAX_ID_CHARACTERS - this.#value.length);
    }
  }

  #end(): void {
    if (this.#member === 'id') this.#seenId = this.#value;
    if (this.#member === 'error' && this.#value !== 'null') this.#hasError = true;
  }
}
