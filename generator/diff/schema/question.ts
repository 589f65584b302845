import type { Containments } from '../../containment/containment.ts';
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
  /** Members whose coming and going is told already. */
  readonly told: ReadonlySet<string>;
}
