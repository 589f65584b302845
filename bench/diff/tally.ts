import type { Diff } from '../../generator/diff/diff.ts';
import type { ClassifiedChange } from '../../generator/diff/classify.ts';
import type { Draw } from './mutation.ts';

/** The outcomes of a mutation, over all the places where it was applied. */
export interface Tally {
  readonly name: string;
  readonly group: 'breaking' | 'harmless' | 'request schema' | 'response schema';
  applied: number;
  /** Applications that break, by construction or by a value on which Ajv finds the schemas to differ. */
  breaking: number;
  found: number;
  /** Errors and warnings about what breaks nothing. */
  falseAlarms: number;
  undecided: number;
  readonly failures: string[];
}

export function newTally(name: string, group: Tally['group']): Tally {
  return {
    name,
    group,
    applied: 0,
    breaking: 0,
    found: 0,
    falseAlarms: 0,
    undecided: 0,
    failures: [],
  };
}

/** True for what is more than a note. */
export const isAlarm = ({ severity }: ClassifiedChange) => severity !== 'info';
/** What changed, without what it asks of the version. */
export const ofChange = ({ changes }: Diff) =>
  changes.filter(({ kind }) => !kind.startsWith('version-'));

export interface Once {
  readonly draw: Draw;
  readonly tally: Tally;
}
