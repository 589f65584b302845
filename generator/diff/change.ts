import { printBigInts } from '../../common/json/exact.ts';
import type { Json } from '../../common/json/value.ts';
import type { KindId } from './kinds/index.ts';

/** A change between two documents: a row of the table of kinds, found at a place. */
export interface Change {
  readonly kind: KindId;
  /** The changed thing: `eth_getLogs, parameter "filter"`. */
  readonly subject: string;
  /** What changed, as the rest of a sentence about the subject. */
  readonly what: string;
  /** JSON pointers into the two bundled documents; null where the thing does not exist. */
  readonly old: string | null;
  readonly new: string | null;
  /** The values before and after; undefined if there was none. */
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  /** A value that only one of the two documents allows there. */
  readonly witness?: Json | undefined;
  /**
   * The member that the change is about and that `what` names, and the pointer of the older schema with
   * it.
   */
  readonly member?: { readonly name: string; readonly of: string } | undefined;
  /** The declared error that the change is about and that `what` names. */
  readonly error?: string | undefined;
  /** Names of the affected methods; empty for a change of the service as a whole. */
  readonly methods: readonly string[];
}

type Place = Pick<Change, 'subject' | 'old' | 'new' | 'methods'>;

/** Creates a change at a place. */
export type Report = (
  kind: KindId,
  what: string,
  before?: Json | undefined,
  after?: Json | undefined,
) => Change;

export function reportAt(place: Place): Report {
  return (kind, what, before, after) => ({ ...place, kind, what, before, after });
}

/** Joins the first names of a list: "a, b and 3 more". */
export function listed(names: readonly string[], max = 3): string {
  const shown = names.slice(0, max);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Shows a value on one line, shortened if it is long. */
export function shown(value: Json | undefined, max = 80): string {
  if (value === undefined) return 'nothing';
  const text = printBigInts(value)!;
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}
