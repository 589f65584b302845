/** A rule about responses. */
export interface Check<Subject> {
  readonly id: string;
  /** What holds where the check finds nothing. */
  readonly title: string;
  readonly help: string;
  /** Returns what is wrong; undefined if nothing is. */
  find(subject: Subject): string | undefined;
}
