import { createHash } from 'node:crypto';

/** Numbers from 0 to 1 that follow from the words alone: the same words, the same numbers. */
export function seededRandom(...words: readonly string[]): () => number {
  let state = createHash('sha256').update(JSON.stringify(words)).digest().readUInt32LE();
  // Mulberry32: a state of 32 bits is enough where nothing is to be kept secret.
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
