import type { Json } from '../../common/json/value.ts';
import type { Node } from './pool.ts';

/** Requires a value to be valid, or invalid, under a schema. */
export interface Signed {
  readonly node: Node;
  readonly is: boolean;
}

/** All requirements on one value. */
export type Goal = readonly Signed[];

/** The types of JSON values; integers are numbers. */
export const jsonTypes = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
export type JsonType = (typeof jsonTypes)[number];

/** What a keyword, or its negation, requires of values of one type. */
export type Literal =
  | { readonly says: 'among'; readonly values: readonly Json[] }
  | { readonly says: 'not-among'; readonly values: readonly Json[] }
  | { readonly says: 'integer'; readonly is: boolean }
  | { readonly says: 'at-least' | 'at-most'; readonly limit: number; readonly exclusive: boolean }
  | { readonly says: 'multiple'; readonly of: number; readonly is: boolean }
  | { readonly says: 'pattern' | 'format'; readonly text: string; readonly is: boolean }
  /** The number of characters, elements or members, depending on the type. */
  | { readonly says: 'size'; readonly least: number; readonly most: number }
  | { readonly says: 'unique'; readonly is: boolean }
  /** Elements by position, and the remaining ones. */
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

/** The schemas of members by their names. */
export interface Shape {
  readonly properties: ReadonlyMap<string, Node>;
  readonly patterns: readonly (readonly [pattern: string, node: Node])[];
  readonly additional: Node;
}

/** One of several ways to satisfy a requirement. */
export interface Option {
  readonly literals: readonly Literal[];
  readonly goal: Goal;
}

/** The requirements of a signed schema: all literals, the goal, and one option of each choice. */
export interface Demand extends Option {
  readonly choices: readonly (readonly Option[])[];
}

export const NO_DEMAND: Demand = { literals: [], goal: [], choices: [] };

export function option(goal: Goal, ...literals: readonly Literal[]): Option {
  return { literals, goal };
}

export function valid(node: Node): Signed {
  return { node, is: true };
}

export function invalid(node: Node): Signed {
  return { node, is: false };
}

/**
 * Whether some value satisfies a goal. `empty`: none does, provided that none satisfies the goals in
 * progress at a depth of `basis` or more (Infinity: unconditionally).
 */
export type Outcome =
  | { readonly is: 'inhabited'; readonly value: Json }
  | { readonly is: 'empty'; readonly basis: number }
  | { readonly is: 'unknown'; readonly reason: string };

export const EMPTY: Outcome = { is: 'empty', basis: Infinity };

export function unknown(reason: string): Outcome {
  return { is: 'unknown', reason };
}

/** Tries alternatives up to the first inhabited one, and combines their outcomes. */
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

/** Finds values for members and elements. */
export type Inhabit = (goal: Goal) => Outcome;
