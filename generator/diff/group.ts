import { printBigInts } from '../../common/json/exact.ts';
import type { Change } from './change.ts';
import type { ClassifiedChange } from './classify.ts';

/** A change at one or more places. */
export interface GroupedChange extends ClassifiedChange {
  /** The places after the first one, which is that of the change itself. */
  readonly others: readonly Place[];
}

type Place = Pick<Change, 'subject' | 'old' | 'new'>;

/**
 * Joins the changes that say the same at several places, such as a schema that is written in place in
 * many methods. A group has the methods of all its changes.
 */
export function groupChanges(changes: readonly ClassifiedChange[]): readonly GroupedChange[] {
  const groups = new Map<string, ClassifiedChange[]>();
  for (const change of changes) {
    const key = keyOf(change);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return [...groups.values()].map((group) => {
    const [first, ...others] = group as [ClassifiedChange, ...ClassifiedChange[]];
    return {
      ...first,
      methods: [...new Set(group.flatMap(({ methods }) => methods))],
      others: others.map(({ subject, old, new: fresh }) => ({ subject, old, new: fresh })),
    };
  });
}

/** One text for changes that say the same, with the same severity for the same reason. */
function keyOf({ kind, severity, note, what, before, after, row }: ClassifiedChange): string {
  // Texts for readers differ from place to place, and are not shown.
  const values = row.section === 'documentation' ? [] : [before, after];
  const texts = values.map((value) => (value === undefined ? '' : printBigInts(value)!));
  return JSON.stringify([kind, severity, note, what, ...texts]);
}
