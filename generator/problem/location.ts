/** A place in the text of a document. */
export interface Location {
  /** The document, as the user called it: a path, a URL or "<stdin>". */
  readonly file: string;
  /** 1-based; null when the place is not in a text (the file is missing). */
  readonly line: number | null;
  readonly column: number | null;
  /** JSON pointer (RFC 6901) into the file; null when it could not be parsed. */
  readonly pointer: string | null;
}

/** "openrpc.json:12:5 #/methods/0/name" */
export function describeLocation({ file, line, column, pointer }: Location): string {
  const place = line === null ? '' : `:${line}:${column ?? 1}`;
  return `${file}${place}${pointer === null ? '' : ` #${pointer}`}`;
}
