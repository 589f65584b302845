import type { Range } from '../json/ranges.ts';
import { CHECKED_BYTES, ObjectScanner } from '../json/object-scanner.ts';
import {
  checkMembers,
  memberNames,
  readResponse,
  responseOf,
  syntaxFailure,
  type Response,
} from './json-rpc.ts';
import type { Failure } from './upstream.ts';

/** Size of a slice, which takes a few milliseconds to scan, whatever it contains. */
export const SLICE_BYTES = 262_144;

/** Reads a response of any size in slices, so that a large one does not block the process. */
export class SlicedResponse {
  readonly #bytes: Buffer;
  readonly #max_depth: number;
  readonly #members = new Map<string, Range>();
  readonly #scanner: ObjectScanner | undefined;
  #at = 0;
  #count = 0;
  #name = '';
  #start: number | undefined;
  #end = 0;

  constructor(bytes: Buffer, max_depth: number) {
    this.#bytes = bytes;
    this.#max_depth = max_depth;
    if (bytes.length > CHECKED_BYTES) this.#scanner = this.#createScanner();
  }

  /** Reads the next slice. Returns the response once it is known. */
  next(): Response | Failure | undefined {
    const scanner = this.#scanner;
    if (scanner === undefined) return readResponse(this.#bytes, this.#max_depth);
    const slice = this.#bytes.subarray(this.#at, this.#at + SLICE_BYTES);
    this.#at += slice.length;
    try {
      scanner.feed(slice);
      if (this.#at < this.#bytes.length) return undefined;
      scanner.end();
    } catch (error) {
      return syntaxFailure(error);
    }
    return responseOf(this.#bytes, this.#members);
  }

  #createScanner(): ObjectScanner {
    return new ObjectScanner(
      {
        begin: (name) => {
          this.#count += 1;
          checkMembers(this.#count);
          this.#name = name;
          this.#start = undefined;
        },
        piece: (bytes) => {
          const start = bytes.byteOffset - this.#bytes.byteOffset;
          this.#start ??= start;
          this.#end = start + bytes.length;
        },
        end: () => {
          if (!memberNames.has(this.#name) || this.#start === undefined) return;
          this.#members.set(this.#name, { start: this.#start, end: this.#end });
        },
      },
      this.#max_depth,
    );
  }
}
