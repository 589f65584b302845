import type { Json } from '../../common/json/value.ts';

/** The text of a document. */
export interface SourceText {
  /** As the user wrote it: a path, a URL or "<stdin>". */
  readonly name: string;
  /** Absolute URL; references in the document are relative to it. */
  readonly url: string;
  readonly text: string;
}

/** A parsed document. Its text has no byte order mark. */
export interface Source extends SourceText {
  readonly value: Json;
  /** Whether its URL is an identifier, and not the place it was read from. */
  readonly isLocal?: boolean;
  /** Returns the position of the value (for a member: of its key) at a JSON pointer. */
  positionOf(pointer: string): Position;
}

/** 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface ReadOptions {
  /** Reject a redirect to an origin other than that of the URL. */
  readonly staysAtOrigin?: boolean;
  /**
   * Read a pipe or a character device as well: for a path that the user passes, never for one that a
   * document refers to.
   */
  readonly mayBeStream?: boolean;
  /** URL of the document that refers to this one. */
  readonly from?: string;
  /** Identifies the load that the read is part of: a host name keeps its addresses during a load. */
  readonly load?: object;
  /** Ends a download. */
  readonly signal?: AbortSignal;
}
