import { readFileSync } from 'node:fs';

/** What `assembly/structural-scan.ts` exports. */
interface Compiled {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly depth: { value: number };
  readonly in_string: { value: number };
  readonly escaped: { value: number };
  scan(length: number, max_depth: number): number;
}

/** The part used here; Node's types do not describe it. */
interface WebAssemblyApi {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** How much is copied into the module's memory and scanned at once. */
const SLICE_BYTES = 65_536;

const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
const code = readFileSync(new URL('./structural-scan.wasm', import.meta.url));
const compiled = new Instance(new Module(code)).exports as Compiled;
const memory = new Uint8Array(compiled.memory.buffer);

/** The state of the syntax at the point where a scan starts. */
export interface Place {
  /** Open objects and arrays, at least one. */
  readonly depth: number;
  readonly isInString: boolean;
  /** Whether the next byte is escaped. */
  readonly isEscaped: boolean;
}

/**
 * Finds the end of an object or array whose beginning has been read; the rest arrives in chunks. Reads
 * only strings, escapes and the depth of brackets, about six times as fast as a full syntax check.
 */
export class StructuralScan {
  readonly #max_depth: number;
  #depth: number;
  #in_string: number;
  #escaped: number;

  constructor({ depth, isInString, isEscaped }: Place, max_depth: number) {
    this.#max_depth = max_depth;
    this.#depth = depth;
    this.#in_string = isInString ? 1 : 0;
    this.#escaped = isEscaped ? 1 : 0;
  }

  /**
   * Reads `chunk` from `start`. Returns the index after the end of the value, or undefined if it
   * continues in the next chunk. Calls `onTooDeep` with the index after a bracket that opens more
   * levels than allowed.
   */
  feed(chunk: Buffer, start: number, onTooDeep: (at: number) => never): number | undefined {
    // The module has one state for all scans; a scan keeps its own between two calls.
    compiled.depth.value = this.#depth;
    compiled.in_string.value = this.#in_string;
    compiled.escaped.value = this.#escaped;
    for (let from = start; from < chunk.length; from += SLICE_BYTES) {
      const length = Math.min(SLICE_BYTES, chunk.length - from);
      memory.set(chunk.subarray(from, from + length));
      const end = compiled.scan(length, this.#max_depth);
      if (end > 0) return from + end;
      if (end < 0) return onTooDeep(from - end);
    }
    this.#depth = compiled.depth.value;
    this.#in_string = compiled.in_string.value;
    this.#escaped = compiled.escaped.value;
    return undefined;
  }
}
