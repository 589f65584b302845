import { describeLocation, type Location } from './location.ts';

/** Something that makes a document unusable, told so that it can be fixed. */
export interface Problem extends Location {
  /** What is wrong, as one sentence without a full stop. */
  readonly what: string;
  /** What to do about it. */
  readonly fix: string;
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
  return `${describeLocation(problem)}: ${problem.what}; ${problem.fix}`;
}
