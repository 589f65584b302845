import type { Containments } from '../../containment/containment.ts';
import type { Node } from '../../containment/pool.ts';
import type { Direction } from './finding.ts';
import type { Models, SchemaAt } from './place.ts';

/** Two schemas that stand in the same place of two documents. */
export interface Pair {
  readonly old: SchemaAt;
  readonly new: SchemaAt;
}

/** What is asked: what `outer` no longer allows of what `inner` allows. */
export interface Question {
  readonly models: Models;
  readonly containments: Containments;
  readonly direction: Direction;
  readonly inner: SchemaAt;
  readonly outer: SchemaAt;
  /** Members whose addition or removal is already reported. */
  readonly handled: ReadonlySet<string>;
  /** Those of them of which that report says whether they are required. */
  readonly handledRequired: ReadonlySet<string>;
  /**
   * True where no value at all is valid under the inner schema, so that everything would contain it:
   * then each of its pieces stands for itself.
   */
  readonly isPiecewise: boolean;
}

/** A question about one piece of the outer schema. */
export interface PieceQuestion extends Question {
  /** What the piece is held against: the inner schema, or its piece of the same key. */
  readonly basis: Node;
}
