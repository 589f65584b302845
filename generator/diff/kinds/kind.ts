import type { Severity } from '../../../common/diagnostic.ts';
import type { Json, JsonObject } from '../../../common/json/value.ts';

/** How far a change asks a version to move, by semver (https://semver.org). */
export type Bump = 'major' | 'minor' | 'patch' | 'none';

/**
 * `wire`: what was sent and read before is sent and read still. `source`: and code that was generated
 * from the older document compiles with what is generated from the newer. All that breaks the wire is
 * at least as grave for the source.
 */
export type Strictness = 'wire' | 'source';

/** The changelog section of a change that breaks nothing. */
export type Section = 'added' | 'changed' | 'deprecated' | 'removed' | 'documentation';

/** A kind of change: a row of the table that `diff` goes by. */
export interface Kind {
  readonly id: string;
  /** What happened, in a few words. */
  readonly title: string;
  readonly levels: Readonly<Record<Strictness, Severity>>;
  /** The version step it requires unless it is an error, which always requires a major one. */
  readonly bump: Bump;
  readonly section: Section;
  /** Why it is as grave as that. CommonMark. */
  readonly why: string;
  /** What callers, or the author, have to do; reported unless the severity is info. */
  readonly fix: string;
  readonly example: KindExample;
  /** The kind that is found when the two documents are swapped; null if there is none. */
  readonly reverse: string | null;
}

export interface KindExample {
  readonly old: Fragment;
  readonly new: Fragment;
}

/** What differs from a small document of one method, `demo`, with one parameter and a result. */
export type Fragment =
  | { readonly param: Json }
  | { readonly result: Json }
  | { readonly method: JsonObject }
  | { readonly methods: readonly JsonObject[] }
  | { readonly document: JsonObject };

/** The levels of a kind, wire first, and what it asks of the version. */
export type Impact = readonly [wire: Severity, source: Severity, bump: Bump];

export const BREAKS: Impact = ['error', 'error', 'major'];
export const BREAKS_SOURCE: Impact = ['info', 'error', 'minor'];
export const WARNS: Impact = ['warning', 'warning', 'minor'];
export const WARNS_BREAKS_SOURCE: Impact = ['warning', 'error', 'minor'];
export const ADDS: Impact = ['info', 'info', 'minor'];
export const INFORMS: Impact = ['info', 'info', 'patch'];

export interface KindText {
  readonly title: string;
  readonly impact: Impact;
  readonly section: Section;
  readonly why: string;
  readonly fix: string;
  readonly example: readonly [old: Fragment, fresh: Fragment];
  readonly reverse: string | null;
}

export function kind(id: string, text: KindText): Kind {
  const { impact, example, ...rest } = text;
  const [wire, source, bump] = impact;
  return {
    id,
    ...rest,
    levels: { wire, source },
    bump,
    example: { old: example[0], new: example[1] },
  };
}
