import type { Range } from './ranges.ts';

/** Replace the bytes of a range; an empty range inserts. */
export interface Edit extends Range {
  readonly replacement: string;
}

/** `bytes` with each edit applied; edits must not overlap. Everything else keeps its bytes. */
export function splice(bytes: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return bytes;
  const parts: Buffer[] = [];
  let at = 0;
  for (const edit of edits.toSorted((left, right) => left.start - right.start)) {
    parts.push(bytes.subarray(at, edit.start), Buffer.from(edit.replacement));
    at = edit.end;
  }
  parts.push(bytes.subarray(at));
  return Buffer.concat(parts);
}
