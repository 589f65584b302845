import type { Session } from './session.ts';

/** A part of a run. It sends probes until it has no more, or the session throws RunEnded. */
export interface Phase {
  readonly id: string;
  readonly title: string;
  run(session: Session): Promise<void>;
}
