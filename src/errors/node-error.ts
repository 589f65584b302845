/** An error as a node sent it, or after its dialect was normalized. */
export interface NodeError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** `data` as it was written, JSON text. */
  readonly rawData?: Buffer;
}

/** Nodes put the problem first; the values of the call follow. */
const EXAMINED_CHARACTERS = 1_024;

/**
 * Returns the part of a message that regular expressions are matched against. A node chooses the
 * message and its length.
 */
export function examined(message: string): string {
  return message.slice(0, EXAMINED_CHARACTERS);
}
