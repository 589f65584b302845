import type { Json } from '../../common/json/value.ts';

/** One change between two documents: a row of the table of kinds, found at a place. */
export interface Change {
  /** Id of the kind. */
  readonly kind: string;
  /** What it is about: `eth_getLogs, parameter "filter"`. */
  readonly subject: string;
  /** What happened to it, as the rest of the sentence. */
  readonly what: string;
  /** JSON pointers into the two bundled documents; null where it is in neither. */
  readonly old: string | null;
  readonly new: string | null;
  /** What was there before and after; undefined where there was nothing. */
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  /** A value that the one document allows there and the other does not. */
  readonly witness?: Json | undefined;
  /** Names of the methods it touches; none where it is of the service as a whole. */
  readonly methods: readonly string[];
}

/** A list of a few things for a reader: "a, b and 3 more". */
export function listed(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** A value for a reader, on one line, cut where it is long. */
export function shown(value: Json | undefined, most = 80): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
