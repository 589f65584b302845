/** Something that makes a document unusable, told so that it can be mended. */
export interface Problem {
  /** What is wrong, as one sentence without a full stop. */
  readonly what: string;
  /** What to do about it. */
  readonly mend: string;
  /** The document, as the user called it. */
  readonly file: string;
  /** 1-based; null when the place is not in a text (the file is missing). */
  readonly line: number | null;
  readonly column: number | null;
  /** JSON pointer (RFC 6901) into the file; null when it could not be parsed. */
  readonly pointer: string | null;
}

/** Thrown by every phase: the document cannot be used, and these are all the reasons known. */
export class DocumentError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(describeProblem).join('\n'));
    this.name = 'DocumentError';
    this.problems = problems;
  }
}

/** "openrpc.json:12:5 #/methods/0/name: must be a string; give it a string" */
export function describeProblem(problem: Problem): string {
  const place = problem.line === null ? '' : `:${problem.line}:${problem.column ?? 1}`;
  const pointer = problem.pointer === null ? '' : ` #${problem.pointer}`;
  return `${problem.file}${place}${pointer}: ${problem.what}; ${problem.mend}`;
}
