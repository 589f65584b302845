import type { Diff } from '../../generator/diff/diff.ts';
import type { ClassifiedChange } from '../../generator/diff/classify.ts';
import type { Draw } from './mutation.ts';

/** What became of a mutation, over all the places it was applied at. */
export interface Tally {
  readonly name: string;
  readonly group: 'breaking' | 'harmless' | 'request schema' | 'response schema';
  applied: number;
  /** Applications that break, by construction or by an instance that Ajv tells apart. */
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
