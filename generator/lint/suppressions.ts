import { isAtOrBelow, joinPointer, splitPointer } from '../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import { documentMembers } from '../validation/document-members.ts';

/** The extension in which a document lists findings to suppress. */
export const IGNORE = 'x-lint-ignore';

/** An entry of `x-lint-ignore`: suppresses the findings of a rule at and below a place. */
export interface Suppression {
  /** "" if the entry has none. */
  readonly rule: string;
  /** "" if the entry has none: such an entry has no effect. */
  readonly reason: string;
  /** The place of the entry. */
  readonly pointer: string;
  /** Tokens of the suppressed place, "*" for any one. */
  readonly at: readonly string[];
  /** What is wrong with the entry itself, or null. */
  readonly problem: string | null;
}

/** Returns every entry of every `x-lint-ignore`. */
export function findSuppressions(document: JsonObject): readonly Suppression[] {
  return [...documentMembers(document)].flatMap(({ key, value, pointer, isData }) =>
    key === IGNORE && isData ? readEntries(value, pointer) : [],
  );
}

function readEntries(value: Json, list: string): readonly Suppression[] {
  const holder = list.slice(0, list.lastIndexOf('/'));
  if (!Array.isArray(value)) {
    return [
      { rule: '', reason: '', pointer: list, at: [], problem: 'not a list of {rule, reason}' },
    ];
  }
  return value.map((entry: Json, index) => {
    const { rule, reason, at } = isObject(entry) ? entry : {};
    const below = typeof at === 'string' ? at : '';
    const suppression = {
      rule: typeof rule === 'string' ? rule : '',
      reason: typeof reason === 'string' ? reason.trim() : '',
      pointer: joinPointer(list, index),
      at: [...splitPointer(holder), ...splitPointer(below)],
    };
    return { ...suppression, problem: problemOf(suppression, at) };
  });
}

function problemOf({ rule, reason }: { rule: string; reason: string }, at: Json | undefined) {
  if (rule === '') return 'the entry names no rule';
  if (reason === '') return `"${rule}" is ignored without a reason`;
  const isPointer = at === undefined || (typeof at === 'string' && /^(?:\/|$)/.test(at));
  return isPointer ? null : 'expected "at" to be a JSON pointer, such as "/errors/0"';
}

/** Returns whether an entry suppresses a finding. */
export function covers(
  { rule, at }: Suppression,
  found: { readonly code: string; readonly pointer: string },
): boolean {
  return rule === found.code && isAtOrBelow(found.pointer, at);
}
