import { printBigInts } from '../../common/json/exact.ts';
import type { Json } from '../../common/json/value.ts';
import type { Change } from './change.ts';
import type { ClassifiedChange } from './classify.ts';

/** A change at one or more places. */
export interface GroupedChange extends ClassifiedChange {
  /** Further members of the same schema, or errors of the same methods, that changed in the same way. */
  readonly members: readonly string[];
  /** The number of further schemas, methods or similar where the change is the same. */
  readonly repeats: number;
  /** All places after the first one, which is that of the change itself. */
  readonly others: readonly Place[];
}

type Place = Pick<Change, 'subject' | 'old' | 'new'>;

/**
 * Joins equivalent changes: of several members of a schema, and at several places, such as a schema
 * that is written in place in many methods. A group has the methods of all its changes.
 */
export function groupChanges(changes: readonly ClassifiedChange[]): readonly GroupedChange[] {
  const single = changes.map((change): GroupedChange => {
    return { ...change, members: [], repeats: 0, others: [] };
  });
  const numberOf = numberLists();
  const byMember = groupBy(single, memberKeyOf(numberOf)).map((group) => ({
    ...join(group),
    members: group.slice(1).flatMap(({ member }) => member?.name ?? []),
  }));
  const byPlace = groupBy(byMember, placeKeyOf).map((group) => ({
    ...join(group),
    repeats: group.length - 1,
  }));
  return groupBy(byPlace, errorKeyOf(numberOf)).map((group) => ({
    ...join(group),
    members: [...group[0].members, ...group.slice(1).flatMap(({ error }) => error ?? [])],
  }));
}

/**
 * Omits notes that repeat a more severe change at the same place: a replaced type both rejects
 * values and allows others.
 */
export function withoutEchoes(changes: readonly GroupedChange[]): readonly GroupedChange[] {
  const numberOf = numberLists();
  const saysOf = ({ what, old, new: fresh, methods, repeats }: GroupedChange) =>
    JSON.stringify([what, old, fresh, numberOf(methods), repeats]);
  const isNote = ({ severity, approval }: GroupedChange) =>
    severity === 'info' && approval === null;
  const said = new Set(changes.filter((change) => !isNote(change)).map(saysOf));
  return changes.filter((change) => !isNote(change) || !said.has(saysOf(change)));
}

function groupBy(
  changes: readonly GroupedChange[],
  keyOf: (change: GroupedChange, index: number) => string,
): readonly (readonly [GroupedChange, ...GroupedChange[]])[] {
  const groups = new Map<string, [GroupedChange, ...GroupedChange[]]>();
  for (const [index, change] of changes.entries()) {
    const key = keyOf(change, index);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return [...groups.values()];
}

function join(group: readonly [GroupedChange, ...GroupedChange[]]): GroupedChange {
  const [first, ...more] = group;
  return {
    ...first,
    methods: more.length === 0 ? first.methods : methodsOf(group),
    others: [
      ...first.others,
      ...more.flatMap(({ subject, old, new: fresh, others }) => [
        { subject, old, new: fresh },
        ...others,
      ]),
    ],
  };
}

/** The methods of all changes of a group. Many changes may share one list of thousands of names. */
function methodsOf(group: readonly GroupedChange[]): readonly string[] {
  const lists = new Set(group.map(({ methods }) => methods));
  return [...new Set([...lists].flat())];
}

type NumberOf = (names: readonly string[]) => number;

/** Returns a function that maps equal lists to the same number, which takes less space in keys. */
function numberLists(): NumberOf {
  const byList = new Map<readonly string[], number>();
  const byText = new Map<string, number>();
  return (names) => {
    const known = byList.get(names);
    if (known !== undefined) return known;
    const text = JSON.stringify(names);
    const number = byText.get(text) ?? byText.size;
    byText.set(text, number);
    byList.set(names, number);
    return number;
  };
}

/**
 * The same text for changes that say the same about members of one schema; a unique one for other
 * changes.
 */
function memberKeyOf(numberOf: NumberOf) {
  return (change: GroupedChange, index: number): string => {
    const { kind, severity, note, what, member, methods } = change;
    if (member === undefined) return String(index);
    const says = what.replace(member.name, '');
    return JSON.stringify([kind, severity, note, says, member.of, numberOf(methods)]);
  };
}

/**
 * The same text for changes that say the same about errors of the same methods; a unique one for others.
 */
function errorKeyOf(numberOf: NumberOf) {
  return (change: GroupedChange, index: number): string => {
    const { kind, severity, note, what, error, methods, repeats } = change;
    if (error === undefined) return String(index);
    const says = what.replace(error, '');
    return JSON.stringify([kind, severity, note, says, numberOf(methods), repeats]);
  };
}

/** The same text for changes that say the same and have the same severity for the same reason. */
function placeKeyOf(change: GroupedChange): string {
  const { kind, severity, note, what, members, before, after, row } = change;
  // Texts for readers and names of components differ from place to place, and are not shown.
  const isNamed = row.section === 'documentation' || row.id.startsWith('component-schema-');
  const values = isNamed && !row.id.endsWith('-renamed') ? [] : [before, after].map(withoutList);
  const texts = values.map((value) => (value === undefined ? '' : printBigInts(value)!));
  return JSON.stringify([kind, severity, note, what, members, ...texts]);
}

/** Returns the only element of a list, because a single type may be written as a list. */
function withoutList(value: Json | undefined): Json | undefined {
  return Array.isArray(value) && value.length === 1 ? (value[0] as Json) : value;
}
