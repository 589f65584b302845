import type { Json } from '../../common/json/value.ts';

/** A document as it was read: its value, and where in the text each part of it stands. */
export interface Source {
  /** As the user called it: a path, a URL or "<stdin>". */
  readonly name: string;
  /** Absolute URL; references in the document are relative to it. */
  readonly url: string;
  readonly value: Json;
  /** What was read, without a byte order mark. */
  readonly text: string;
  /** 1-based line and column of the value (for a member: of its key) at a JSON pointer. */
  positionOf(pointer: string): Position;
}

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The text of a document. */
export interface SourceText {
  readonly name: string;
  readonly url: string;
  readonly text: string;
}

export interface ReadOptions {
  /** Refuse a redirect to another origin than that of the address. */
  readonly staysAtOrigin?: boolean;
  /** Read a pipe or a character device as well: for what a user names, never for what a document names. */
  readonly mayBeStream?: boolean;
}
