import type { Change } from './reference.ts';
import type { ServeOptions } from './serve.ts';

/** A server that differs from the reference in one way. */
export interface Variation {
  readonly name: string;
  readonly change: Change;
  readonly serve?: Partial<ServeOptions>;
}
