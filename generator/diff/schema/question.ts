import type { Containments } from '../../containment/containment.ts';
import type { Json } from '../../../common/json/value.ts';
import type { Change } from '../change.ts';
import type { KindId } from '../kinds/index.ts';
import type { Models, SchemaAt } from './place.ts';

/** The direction in which values are sent: from a caller, or to a caller. */
export type Direction = 'request' | 'response';

/** A change of one pair of schemas, for all methods that use it. */
export interface SchemaFinding {
  readonly kind: KindId;
  readonly what: string;
  readonly old: string;
  readonly new: string;
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  readonly witness?: Json | undefined;
  readonly member?: Change['member'];
  /** Pointers that name the place, if other than `old` and `new`. */
  readonly named?: { readonly old: string; readonly new: string } | undefined;
}

/** Two schemas at the same place of two documents. */
export interface Pair {
  readonly old: SchemaAt;
  readonly new: SchemaAt;
}

/** What every comparison of schemas needs. */
export interface Scope {
  readonly models: Models;
  readonly containments: Containments;
  readonly direction: Direction;
}

/** Asks which values `inner` allows and `outer` does not. */
export interface Question extends Scope {
  readonly inner: SchemaAt;
  readonly outer: SchemaAt;
  /** Members whose addition or removal is already reported. */
  readonly handled: ReadonlySet<string>;
  /** The handled members for which it is already reported whether they are required. */
  readonly handledRequired: ReadonlySet<string>;
  /** True if the inner schema allows no value: then its pieces are compared one by one. */
  readonly isPiecewise: boolean;
}

/** The answer to a question. */
export interface Explanation {
  readonly findings: readonly SchemaFinding[];
  /** Parts to search for the reason. */
  readonly deeper: readonly Pair[];
}

/** Pairs a schema of the inner document with one of the outer document. */
export function toPair({ inner }: Pick<Question, 'inner'>, own: SchemaAt, other: SchemaAt): Pair {
  return inner.side === 'old' ? { old: own, new: other } : { old: other, new: own };
}
