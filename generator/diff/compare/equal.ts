import { canonicalValue } from '../../containment/canonical.ts';
import type { Json } from '../../../common/json/value.ts';

/** True for equal JSON values, the order of members left out; undefined equals undefined alone. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonicalValue(a as Json) === canonicalValue(b as Json);
}
