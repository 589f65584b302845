/** Chunks below half this size are joined into blocks, because each chunk has a cost of its own. */
const BLOCK_BYTES = 4_096;

const EMPTY = Buffer.alloc(0);

/** Bytes received in chunks of any size, in order. */
export class ChunkList {
  #chunks: Buffer[] = [];
  /** Holds the last chunks; its first `#used_bytes` are filled. */
  #block = EMPTY;
  #used_bytes = 0;

  push(chunk: Buffer): void {
    const isFirst = this.#chunks.length === 0 && this.#used_bytes === 0;
    if (isFirst) {
      this.#chunks = [chunk];
      return;
    }
    if (chunk.length >= BLOCK_BYTES / 2) {
      this.#endBlock();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#used_bytes + chunk.length > this.#block.length) {
      this.#endBlock();
      this.#block = Buffer.allocUnsafe(BLOCK_BYTES);
    }
    this.#used_bytes += chunk.copy(this.#block, this.#used_bytes);
  }

  /** Returns all bytes, which stay in the list. */
  list(): readonly Buffer[] {
    this.#endBlock();
    return this.#chunks;
  }

  /** Removes and returns the first bytes. */
  shift(): Buffer | undefined {
    if (this.#chunks.length === 0) this.#endBlock();
    return this.#chunks.shift();
  }

  /** Removes and returns all bytes as one buffer. */
  take(): Buffer {
    const chunks = this.list();
    this.clear();
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  }

  clear(): void {
    this.#chunks = [];
    this.#block = EMPTY;
    this.#used_bytes = 0;
  }

  #endBlock(): void {
    if (this.#used_bytes > 0) this.#chunks.push(this.#block.subarray(0, this.#used_bytes));
    this.#block = EMPTY;
    this.#used_bytes = 0;
  }
}
