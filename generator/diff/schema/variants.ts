import { isObject, type Json, type JsonObject, type Schema } from '../../../common/json/value.ts';
import { canonicalValue } from '../../containment/canonical.ts';
import { componentOf } from '../../model/type-names.ts';
import { listed, shown } from '../change.ts';
import { partnerOf } from './align.ts';
import { findingOf } from './piece-finding.ts';
import { piecesOf, type Piece } from './pieces.ts';
import { flatten, nodeAt, type SchemaAt } from './place.ts';
import {
  toPair,
  type Explanation,
  type Pair,
  type Question,
  type SchemaFinding,
} from './question.ts';

/** Explains each branch of the inner union that the outer one excludes. */
export function explainVariants(
  question: Question,
  piece: Piece,
  like: Piece | null,
): Explanation | null {
  const { containments, inner, outer } = question;
  const { pool, contains } = containments;
  const branchesOf = (side: SchemaAt['side'], each: Piece) =>
    (each.value as readonly Schema[]).map((schema, index): SchemaAt => ({
      side,
      schema,
      pointer: `${each.pointer}/${index}`,
    }));
  const union = like ?? unionOf(question, piece);
  if (union === null) return null;
  const whole = pool.of(outer.side, piece.schema);
  const others = branchesOf(outer.side, piece);
  const own = branchesOf(inner.side, union);
  // A branch only allows what the rest of the schema allows too.
  const innerSchema = question.isPiecewise ? true : (nodeAt(pool, inner).schema as Json);
  const within = (each: SchemaAt) =>
    pool.intern({ allOf: [innerSchema, nodeAt(pool, each).schema as Json] });
  const lost = own.filter((each) => contains(whole, within(each)).holds !== 'yes');
  if (lost.length === 0) return null;
  const isLost = new Set(lost);
  const kept = new Set(own.filter((each) => !isLost.has(each)).map(textOf));
  const free = others.filter((each) => !kept.has(textOf(each)));
  const byText = new Map(others.toReversed().map((each) => [textOf(each), each]));
  const findings: SchemaFinding[] = [];
  const deeper: Pair[] = [];
  for (const each of lost) {
    // The variant still exists, with other contents or next to others that match the same values.
    const same = byText.get(textOf(each));
    const single = lost.length === 1 && free.length === 1 ? free[0] : undefined;
    const partner = same ?? partnerOf(each, free) ?? single;
    const answer = containments.confirm(contains(whole, within(each)), whole, within(each));
    if (
      partner !== undefined &&
      contains(nodeAt(pool, partner), nodeAt(pool, each)).holds !== 'yes'
    ) {
      deeper.push(toPair(question, each, partner));
    } else {
      const isNull = isObject(each.schema) && each.schema['type'] === 'null';
      const isGone = answer.holds === 'no' && !isNull;
      const aspect = isNull ? 'null' : same === undefined ? 'variant' : 'schema';
      const gone = { ...piece, aspect, pointer: outer.pointer } as const;
      const asked = { ...question, inner: each, basis: nodeAt(pool, each) };
      const finding = findingOf(asked, gone, answer, null);
      const value = each.schema as Json;
      findings.push({
        ...finding,
        ...(inner.side === 'old'
          ? { before: value, after: undefined }
          : { before: undefined, after: value }),
        what: isGone ? describeVariant(each, inner.side, same !== undefined) : finding.what,
      });
    }
  }
  return { findings, deeper };
}

function describeVariant(each: SchemaAt, side: SchemaAt['side'], isKept: boolean): string {
  const name = nameOfVariant(each.schema);
  const isLost = side === 'old';
  if (!isKept) return `the variant ${name} was ${isLost ? 'removed' : 'added'}`;
  const overlap = 'values that match another variant too';
  return isLost
    ? `the variant ${name} no longer allows ${overlap}`
    : `the variant ${name} now allows values that previously matched another variant too`;
}

/** Names a variant by its title, its component, the members that it requires, or its text. */
function nameOfVariant(schema: Schema): string {
  const { title, $ref: reference, required } = (isObject(schema) ? schema : {}) as JsonObject;
  if (typeof title === 'string') return JSON.stringify(title);
  if (typeof reference === 'string') return JSON.stringify(componentOf(schema) ?? reference);
  const isMarked = Array.isArray(required) && required.length > 0 && required.length <= MAX_NAMED;
  if (isMarked) return `with ${listed(required as readonly string[], MAX_NAMED)}`;
  return shown(schema as Json, 60);
}

/** Maximum number of members that name a variant. */
const MAX_NAMED = 3;

/** Returns the only union of the inner schema if it has the other keyword. */
function unionOf({ models, inner }: Question, piece: Piece): Piece | null {
  const unions = flatten(models, inner)
    .flatMap(piecesOf)
    .filter(({ aspect }) => aspect === 'variant');
  return unions.length === 1 && unions[0]!.key !== piece.key ? unions[0]! : null;
}

/** A text that is equal for equal schemas. */
function textOf({ schema }: SchemaAt): string {
  return canonicalValue(schema as Json);
}
