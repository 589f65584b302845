import type { Containments } from '../../containment/containment.ts';
import type { Json } from '../../../common/json/value.ts';

/** A `type` of one side, and the types of the other side that it leaves out. */
interface TypeChange {
  readonly containments: Containments;
  /** The schema of the other side, in the pool. */
  readonly node: Parameters<Containments['contains']>[1];
  readonly type: Json;
  readonly lost: readonly string[];
  /** Whether the other side is the old one. */
  readonly isNarrower: boolean;
}

/** "the type changed from number to string"; null where one of the types stays. */
export function describeReplacedType(change: TypeChange): string | null {
  const { containments, node, type, lost, isNarrower } = change;
  const { pool, contains } = containments;
  const excludes = (schema: Json) => contains(pool.intern({ not: schema }), node).holds === 'yes';
  if (!excludes({ type })) return null;
  const fractions = { allOf: [{ type: 'number' }, { not: { type: 'integer' } }] };
  const isWhole = lost.includes('number') && excludes(fractions);
  const other = lost.map((each) => (each === 'number' && isWhole ? 'integer' : each)).join(' or ');
  const own = [type].flat().join(' or ');
  return `the type changed from ${isNarrower ? other : own} to ${isNarrower ? own : other}`;
}
