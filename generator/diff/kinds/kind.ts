import type { Severity } from '../../../common/diagnostic.ts';
import type { Json, JsonObject } from '../../../common/json/value.ts';

/** The version step a change requires, by semver (https://semver.org). */
export type Bump = 'major' | 'minor' | 'patch' | 'none';

/**
 * `wire`: requests and responses stay compatible. `source`: so does code generated from the documents. A
 * change is at least as severe for the source as on the wire.
 */
export type Strictness = 'wire' | 'source';

/** The changelog section of a change that does not break anything. */
export type Section = 'added' | 'changed' | 'deprecated' | 'removed' | 'documentation';

/** A kind of change: a row of the table behind `diff`. */
export interface Kind<Id extends string = string> extends Required<Omit<KindText, 'example'>> {
  readonly id: Id;
  readonly levels: Readonly<Record<Strictness, Severity>>;
  /** The version step it requires unless it is an error, which always requires a major one. */
  readonly bump: Bump;
  readonly example: { readonly old: Fragment; readonly new: Fragment };
}

interface KindText {
  /** What happened, in a few words. */
  readonly title: string;
  /** Why it has its severity. CommonMark. */
  readonly why: string;
  /** What the author or callers have to do, "nothing" by default; reported unless it is info. */
  readonly fix?: string;
  /** What callers have to do; printed unless the change is info. */
  readonly migration?: string;
  /** "changed" by default. */
  readonly section?: Section;
  readonly example: readonly [old: Fragment, fresh: Fragment];
  /** The kind found when the two documents are swapped, by default the same; null if none is. */
  readonly reverse?: string | null;
}

/** How an example differs from a document with the method `demo`, one parameter and a result. */
export type Fragment =
  | { readonly param: Json }
  | { readonly result: Json }
  | { readonly method: JsonObject }
  | { readonly methods: readonly JsonObject[] }
  | { readonly document: JsonObject };

/** Methods for examples of kinds: one without parameters, one with. */
export const demo: JsonObject = {
  name: 'demo',
  params: [],
  result: { name: 'result', schema: { type: 'string' } },
};
export const other: JsonObject = {
  name: 'other',
  params: [{ name: 'index', required: true, schema: { type: 'integer' } }],
  result: { name: 'result', schema: { type: 'boolean' } },
};

/** The severity of a kind for each strictness, and the version step it requires. */
export type Impact = readonly [wire: Severity, source: Severity, bump: Bump];

export const BREAKS: Impact = ['error', 'error', 'major'];
export const BREAKS_SOURCE: Impact = ['info', 'error', 'minor'];
export const WARNS: Impact = ['warning', 'warning', 'minor'];
export const WARNS_BREAKS_SOURCE: Impact = ['warning', 'error', 'minor'];
export const ADDS: Impact = ['info', 'info', 'minor'];
export const INFORMS: Impact = ['info', 'info', 'patch'];

export function kind<Id extends string>(
  id: Id,
  [wire, source, bump]: Impact,
  text: KindText,
): Kind<Id> {
  const [old, fresh] = text.example;
  return {
    section: 'changed',
    fix: 'nothing',
    migration: 'read what changed in the document',
    reverse: id,
    ...text,
    id,
    levels: { wire, source },
    bump,
    example: { old, new: fresh },
  };
}
