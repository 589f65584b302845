import type { Containment, Containments } from '../../containment/containment.ts';
import { jsonTypes } from '../../containment/goal.ts';
import type { Node, Side } from '../../containment/pool.ts';
import { describeAspect } from '../kinds/schema-kinds.ts';
import { nodeAt, type SchemaAt } from './place.ts';
import type { Question, SchemaFinding } from './question.ts';

const REPLACED = 'the type changed from ';

/** Returns "the type changed from number to string"; `inner` and `outer` are types of the two schemas. */
export function describeTypeChange(
  innerSide: Side,
  inner: readonly string[],
  outer: readonly string[],
): string {
  const [from, to] = innerSide === 'old' ? [inner, outer] : [outer, inner];
  return `${REPLACED}${oneOf(from)} to ${oneOf(to)}`;
}

/** Returns whether a text says that a type was replaced by another one. */
export function isTypeChange(what: string): boolean {
  return what.startsWith(REPLACED);
}

/** Returns the finding for two schemas that have no type in common, or null. */
export function replacedType(question: Question, answer: Containment): SchemaFinding | null {
  const { containments, inner, outer } = question;
  const typesAt = (at: SchemaAt) => typesOf(containments, nodeAt(containments.pool, at));
  const [own, others] = [typesAt(inner), typesAt(outer)];
  if (answer.holds !== 'no' || own.length === 0 || others.length === 0) return null;
  if (own.some((type) => others.includes(type))) return null;
  return findingOfTypes(question, answer, describeTypeChange(inner.side, own, others));
}

/**
 * Returns the finding for a schema that restricts types where the inner one has no constraint, or null.
 * Its other constraints are a consequence, and are not reported one by one.
 */
export function restrictedType(question: Question, innerNode: Node): SchemaFinding | null {
  const { containments, inner, outer } = question;
  const { pool, contains, confirm } = containments;
  const node = nodeAt(pool, outer);
  const types = typesOf(containments, node);
  if (types.length === 0 || types.length === jsonTypes.length) return null;
  const answer = confirm(contains(node, innerNode), node, innerNode);
  if (answer.holds !== 'no') return null;
  const what =
    inner.side === 'old'
      ? `allows only ${oneOf(types)} instead of any value`
      : `allows any value instead of ${oneOf(types)}`;
  return findingOfTypes(question, answer, what);
}

function findingOfTypes(
  { direction, inner, outer }: Question,
  answer: Containment & { readonly holds: 'no' },
  what: string,
): SchemaFinding {
  const [old, fresh] = inner.side === 'old' ? [inner, outer] : [outer, inner];
  return {
    kind: `${direction}-${describeAspect('type', inner.side === 'old').name}`,
    what,
    witness: answer.witness,
    old: old.pointer,
    new: fresh.pointer,
  };
}

/** Returns the types of the values that a schema allows. */
function typesOf({ pool, contains }: Containments, node: Node): readonly string[] {
  return jsonTypes.filter((type) => contains(pool.intern({ not: { type } }), node).holds !== 'yes');
}

/** Joins alternatives: "null, string or object". */
function oneOf(types: readonly string[]): string {
  return types.length < 2 ? types.join('') : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`;
}
