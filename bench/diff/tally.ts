import type { Diff } from '../../generator/diff/diff.ts';
import type { ClassifiedChange } from '../../generator/diff/classify.ts';
import type { Draw } from './mutation.ts';

/** The outcomes of a mutation, over all the places where it was applied. */
export interface Tally {
  readonly name: string;
  readonly group: 'breaking' | 'harmless' | 'request schema' | 'response schema';
  applied: number;
  /** Applications that break, by construction or because Ajv confirms a value. */
  breaking: number;
  /** Breaks that are errors. */
  found: number;
  /** Breaks that policy makes a warning or a note. */
  policy: number;
  /** Errors and warnings about harmless changes. */
  falseAlarms: number;
  undecided: number;
  readonly failures: string[];
}

export function newTally(name: string, group: Tally['group']): Tally {
  const counts = { applied: 0, breaking: 0, found: 0, policy: 0, falseAlarms: 0, undecided: 0 };
  return { name, group, ...counts, failures: [] };
}

/** Returns whether a change is an error or a warning. */
export const isAlarm = ({ severity }: ClassifiedChange) => severity !== 'info';
/** Returns the changes except those of the version. */
export const ofChange = ({ changes }: Diff) =>
  changes.filter(({ kind }) => !kind.startsWith('version-'));

export interface Once {
  readonly draw: Draw;
  readonly tally: Tally;
}
