import { CHECKED_BYTES, ObjectScanner } from './object-scanner.ts';
import { checkMembers, scanMembers, type Range } from './ranges.ts';

/** Size of a slice, which takes a few milliseconds to scan, whatever it contains. */
export const SLICE_BYTES = 262_144;

/** Reads members of a large object in slices, so that it does not block the process. */
export class SlicedMembers {
  readonly #bytes: Buffer;
  readonly #max_depth: number;
  readonly #names: ReadonlySet<string>;
  readonly #members = new Map<string, Range>();
  readonly #scanner: ObjectScanner | undefined;
  #at = 0;
  #count = 0;
  #name = '';
  #start: number | undefined;
  #end = 0;

  /** `names`: the members to read. */
  constructor(bytes: Buffer, max_depth: number, names: ReadonlySet<string>) {
    this.#bytes = bytes;
    this.#max_depth = max_depth;
    this.#names = names;
    if (bytes.length > CHECKED_BYTES) this.#scanner = this.#createScanner();
  }

  /**
   * Reads the next slice. Returns the members after the last one; the last duplicate counts. Throws
   * JsonSyntaxError.
   */
  next(): ReadonlyMap<string, Range> | undefined {
    if (this.#scanner === undefined) return scanMembers(this.#bytes, this.#max_depth, this.#names);
    const slice = this.#bytes.subarray(this.#at, this.#at + SLICE_BYTES);
    this.#at += slice.length;
    this.#scanner.feed(slice);
    if (this.#at < this.#bytes.length) return undefined;
    this.#scanner.end();
    return this.#members;
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
          if (!this.#names.has(this.#name) || this.#start === undefined) return;
          this.#members.set(this.#name, { start: this.#start, end: this.#end });
        },
      },
      this.#max_depth,
    );
  }
}
