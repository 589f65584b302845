import { isLiteral } from '../bundle/references.ts';
import { joinPointer, splitPointer } from '../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';

/** The extension by which a document says which findings it stands by. */
export const IGNORE = 'x-lint-ignore';

/** An entry of `x-lint-ignore`: suppresses the findings of a rule at and below a place. */
export interface Suppression {
  /** "" where the entry names none. */
  readonly rule: string;
  /** "" where the entry gives none: such an entry has no effect. */
  readonly reason: string;
  /** Where the entry stands. */
  readonly pointer: string;
  /** Tokens of the place it is about, "*" for any one. */
  readonly at: readonly string[];
  /** What is wrong with the entry itself, or null. */
  readonly problem: string | null;
}

/** Every entry of every `x-lint-ignore`, wherever the document may be extended. */
export function findSuppressions(document: JsonObject): readonly Suppression[] {
  const found: Suppression[] = [];
  const ahead: [Json, string][] = [[document, '']];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [value, pointer] = next;
    if (typeof value !== 'object' || value === null) continue;
    const tokens = splitPointer(pointer);
    for (const [key, member] of Object.entries(value)) {
      if (typeof member !== 'object' && key !== IGNORE) continue;
      const literal = isLiteral([...tokens, key]);
      if (key === IGNORE && literal) found.push(...readEntries(member as Json, pointer));
      if (!literal) ahead.push([member as Json, joinPointer(pointer, key)]);
    }
  }
  return found;
}

function readEntries(value: Json, holder: string): readonly Suppression[] {
  const list = joinPointer(holder, IGNORE);
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

/** True when a finding of `rule` at `pointer` is one that the entry is about. */
export function covers(
  { rule, at }: Suppression,
  found: { readonly code: string; readonly pointer: string },
): boolean {
  if (rule !== found.code) return false;
  const tokens = splitPointer(found.pointer);
  return at.length <= tokens.length && at.every((token, i) => token === '*' || token === tokens[i]);
}
