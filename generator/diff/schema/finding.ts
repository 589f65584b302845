import type { Json } from '../../../common/json/value.ts';

/** Which way values travel: from a caller, or to one. */
export type Direction = 'request' | 'response';

/** A change of one pair of schemas, for all methods that reach it. */
export interface SchemaFinding {
  readonly kind: string;
  readonly what: string;
  readonly old: string;
  readonly new: string;
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  readonly witness?: Json | undefined;
}
