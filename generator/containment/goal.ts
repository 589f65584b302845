import type { Json } from '../../common/json/value.ts';
import type { Node } from './pool.ts';

/** That a value is, or is not, valid under a schema. */
export interface Signed {
  readonly node: Node;
  readonly is: boolean;
}

/** What one value is to fulfil all of. */
export type Goal = readonly Signed[];

/** The types of JSON values, a number with or without a fraction being one. */
export const jsonTypes = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
export type JsonType = (typeof jsonTypes)[number];

/** What a keyword, or its opposite, says of values of one type. */
export type Literal =
  | { readonly says: 'among'; readonly values: readonly Json[] }
  | { readonly says: 'not-among'; readonly values: readonly Json[] }
  | { readonly says: 'integer'; readonly is: boolean }
  | { readonly says: 'at-least' | 'at-most'; readonly limit: number; readonly exclusive: boolean }
  | { readonly says: 'multiple'; readonly of: number; readonly is: boolean }
  | { readonly says: 'pattern' | 'format'; readonly text: string; readonly is: boolean }
  /** Characters, elements or members, by the type. */
  | { readonly says: 'size'; readonly least: number; readonly most: number }
  | { readonly says: 'unique'; readonly is: boolean }
  /** Elements by position, and those behind. */
  | { readonly says: 'elements'; readonly first: readonly Node[]; readonly rest: Node }
  | { readonly says: 'every-element'; readonly fulfils: Signed }
  /** An element at a position from `from` to before `to`. */
  | {
      readonly says: 'some-element';
      readonly from: number;
      readonly to: number;
      readonly fulfils: Signed;
    }
  | { readonly says: 'members'; readonly shape: Shape }
  | { readonly says: 'names'; readonly node: Node }
  | { readonly says: 'has' | 'lacks'; readonly key: string }
  | { readonly says: 'member'; readonly key: string; readonly fulfils: Signed }
  /** A member that `shape` does not name. */
  | { readonly says: 'other-member'; readonly shape: Shape; readonly fulfils: Signed }
  | { readonly says: 'matching-member'; readonly pattern: string; readonly fulfils: Signed }
  | { readonly says: 'some-name'; readonly fulfils: Signed };

/** What a schema object says of members by their names. */
export interface Shape {
  readonly properties: ReadonlyMap<string, Node>;
  readonly patterns: readonly (readonly [pattern: string, node: Node])[];
  readonly additional: Node;
}

/** One way to fulfil something. */
export interface Option {
  readonly literals: readonly Literal[];
  readonly goal: Goal;
}

/** What a signed schema asks for: all of `literals` and `goal`, and an option of each choice. */
export interface Demand extends Option {
  readonly choices: readonly (readonly Option[])[];
}

/**
 * Whether there is a value that fulfils a goal. `empty`: there is none, provided that the goals under
 * way at a depth of `basis` or more have none either (Infinity: without proviso).
 */
export type Outcome =
  | { readonly is: 'inhabited'; readonly value: Json }
  | { readonly is: 'empty'; readonly basis: number }
  | { readonly is: 'unknown'; readonly reason: string };

export const EMPTY: Outcome = { is: 'empty', basis: Infinity };

export function unknown(reason: string): Outcome {
  return { is: 'unknown', reason };
}

/** Tries alternatives up to the first that is inhabited; what comes of it. */
export function firstInhabited<T>(
  alternatives: Iterable<T>,
  attempt: (alternative: T) => Outcome,
): Outcome {
  let basis = Infinity;
  let doubt: Outcome | null = null;
  for (const alternative of alternatives) {
    const outcome = attempt(alternative);
    if (outcome.is === 'inhabited') return outcome;
    if (outcome.is === 'unknown') doubt ??= outcome;
    else basis = Math.min(basis, outcome.basis);
  }
  return doubt ?? { is: 'empty', basis };
}

/** What a leaf of the search asks of values below the one at hand. */
export interface Inhabit {
  (goal: Goal): Outcome;
}
