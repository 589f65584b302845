import { onOneLine, visibleAtStart } from './escape/text.ts';

export type Severity = 'error' | 'warning' | 'info';

/** The severities, highest first. */
export const severities: readonly Severity[] = ['error', 'warning', 'info'];

/** A place in the text of a document. */
export interface Location {
  /** The document, as the user named it: a path, a URL or "<stdin>". */
  readonly file: string;
  /** 1-based; null for a place without a line, such as a missing file. */
  readonly line: number | null;
  readonly column: number | null;
  /** JSON pointer (RFC 6901) into the file; null when it could not be parsed. */
  readonly pointer: string | null;
}

/** A finding about a document. */
export interface Diagnostic {
  /** Id of the rule or of the kind of change; `UNUSABLE` for a document that cannot be used. */
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong, as one sentence without a full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string | undefined;
  readonly location: Location;
  /** Names of the methods that use the place, if it was found in several. */
  readonly methods?: readonly string[];
}

/** A diagnostic without its rule, severity and place in a text. */
export interface PointerDiagnostic extends Pick<Diagnostic, 'message' | 'fix'> {
  /** JSON pointer (RFC 6901) into the examined value. */
  readonly pointer: string;
}

/** The code of diagnostics that make a document unusable. */
export const UNUSABLE = 'unusable-document';

/** Thrown when a document cannot be used, with every known reason. */
export class DocumentError extends Error {
  readonly diagnostics: readonly Diagnostic[];
  override readonly name = 'DocumentError';

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(describeDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/** A diagnostic about a broken part of a document, which can be used without it. */
export interface Omission extends Diagnostic {
  /** What the document is without, such as `the method "a" is left out`. */
  readonly effect: string;
  /** Name of the method that is left out as a whole, or null. */
  readonly method: string | null;
}

/** Thrown for a document that could be used without its broken parts. */
export class BrokenPartsError extends DocumentError {
  readonly omissions: readonly Omission[];

  constructor(omissions: readonly Omission[]) {
    super(omissions);
    this.omissions = omissions;
  }
}

/** Returns a diagnostic that makes the document at `location` unusable. */
export function unusable(
  location: Location,
  { message, fix }: Pick<Diagnostic, 'message' | 'fix'>,
): Diagnostic {
  return { code: UNUSABLE, severity: 'error', message, fix, location };
}

/** Returns the location of a file as a whole. */
export function wholeFile(file: string): Location {
  return { file, line: null, column: null, pointer: null };
}

/**
 * Returns, for example, "openrpc.json:12:5 #/methods/0/name". Hidden characters of names and keys are
 * escaped, so that they cannot control the terminal or a CI runner.
 */
export function describeLocation({ file, line, column, pointer }: Location): string {
  const place = line === null ? '' : `:${line}:${column ?? 1}`;
  return visibleAtStart(`${file}${place}${pointer === null ? '' : ` #${pointer}`}`);
}

/** Returns, for example, "openrpc.json:12:5 #/methods/0/name: expected a string; make it a string". */
export function describeDiagnostic({ location, message, fix }: Diagnostic): string {
  const text = onOneLine(`${message}${fix === undefined ? '' : `; ${fix}`}`);
  return `${describeLocation(location)}: ${text}`;
}
