/** A rule about responses. */
export interface Check<Subject> {
  readonly id: string;
  /** What the check requires, in a few words. */
  readonly title: string;
  readonly help: string;
  /** Returns what is wrong; undefined if nothing is. */
  find(subject: Subject): string | undefined;
}
