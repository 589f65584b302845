import type { Containment } from '../../containment/containment.ts';
import type { Node } from '../../containment/pool.ts';
import { isObject, type JsonObject } from '../../../common/json/value.ts';
import { findingOf } from './piece-finding.ts';
import { piecesOf, type Piece } from './pieces.ts';
import {
  toPair,
  type Explanation,
  type Pair,
  type Question,
  type SchemaFinding,
} from './question.ts';
import { replacedType, restrictedType } from './type-finding.ts';
import { explainVariants } from './variants.ts';
import { below, flatten, nodeAt, type SchemaAt } from './place.ts';

/**
 * Finds the pieces of the outer schema that exclude values of the inner one. A piece that is about a
 * part of the value and has a counterpart in the inner schema is explained by comparing the parts.
 */
export function explain(question: Question): Explanation {
  const { models, containments, inner, outer } = question;
  const { pool, contains } = containments;
  const findings: SchemaFinding[] = [];
  const deeper: Pair[] = [];
  const innerNode = nodeAt(pool, inner);
  const innerParts = flatten(models, inner);
  const innerPieces = innerParts.flatMap(piecesOf);
  if (outer.schema === false)
    return {
      findings: [findingOf({ ...question, basis: innerNode }, null, NOTHING_ALLOWED)],
      deeper,
    };
  const isFree = innerPieces.length === 0 && !question.isPiecewise;
  const restricted = isFree ? restrictedType(question, innerNode) : null;
  if (restricted !== null) return { findings: [restricted], deeper };
  for (const part of flatten(models, outer)) {
    for (const piece of piecesOf(part)) {
      const node = pool.of(outer.side, piece.schema);
      const like = innerPieces.find(({ key }) => key === piece.key) ?? null;
      const basis = question.isPiecewise ? pool.of(inner.side, like?.schema ?? true) : innerNode;
      if (contains(node, basis).holds === 'yes') continue;
      if (question.isPiecewise && isImplied(question, node, innerPieces)) continue;
      if (isHandled(question, piece, basis)) continue;
      const parts = piece.child === null ? [] : partsAt(question, piece, innerParts, part);
      const failing = parts.filter(
        ([own, other]) => contains(nodeAt(pool, other), nodeAt(pool, own)).holds !== 'yes',
      );
      const branches = piece.aspect === 'variant' ? explainVariants(question, piece, like) : null;
      if (branches !== null) {
        findings.push(...branches.findings);
        deeper.push(...branches.deeper);
      } else if (failing.length > 0) {
        deeper.push(...failing.map(([own, other]) => toPair(question, own, other)));
      } else {
        const confirmed = containments.confirm(contains(node, basis), node, basis);
        findings.push(
          findingOfPiece({ ...question, basis }, piece, { answer: confirmed, like, innerPieces }),
        );
      }
    }
  }
  return { findings, deeper };
}

interface Compared {
  readonly answer: Containment;
  readonly like: Piece | null;
  readonly innerPieces: readonly Piece[];
}

/**
 * Returns the finding for a piece. Where the inner schema has no union, no variant was removed: a union
 * is reported as a constraint like any other.
 */
function findingOfPiece(
  question: Parameters<typeof findingOf>[0],
  piece: Piece,
  { answer, like, innerPieces }: Compared,
): SchemaFinding {
  const hasUnion = innerPieces.some(({ aspect }) => aspect === 'variant');
  if (piece.aspect !== 'variant' || hasUnion) return findingOf(question, piece, answer, like);
  const constraint: Piece = { ...piece, aspect: 'schema' };
  return replacedType(question, answer) ?? findingOf(question, constraint, answer, like);
}

/** Returns whether another piece already excludes everything that a piece excludes. */
function isImplied({ containments, inner }: Question, outer: Node, pieces: readonly Piece[]) {
  const { pool, contains } = containments;
  return pieces.some(({ schema }) => {
    // A union of equal variants rejects their values, and still excludes all others.
    const { oneOf } = schema as JsonObject;
    const node = pool.of(inner.side, oneOf === undefined ? schema : { anyOf: oneOf });
    return contains(outer, node).holds === 'yes' && contains(pool.nothing, node).holds !== 'yes';
  });
}

const NOTHING_ALLOWED: Containment = { holds: 'no', witness: null };

function isHandled(
  { handled, handledRequired, outer, containments }: Question,
  piece: Piece,
  inner: Node,
) {
  if (piece.member !== undefined && piece.key.startsWith('required/'))
    return handledRequired.has(piece.member);
  if (piece.member !== undefined && piece.key.startsWith('properties/')) {
    return handled.has(piece.member);
  }
  // Where no other members are allowed, each removed one is already reported. The piece is handled if it
  // excludes nothing else.
  const isClosed = piece.aspect === 'additional' && piece.value === false;
  if (!isClosed || handled.size === 0 || !isObject(piece.schema)) return false;
  const properties = piece.schema['properties'] as JsonObject;
  const free = Object.fromEntries([...handled].map((name) => [name, true]));
  const schema = { ...piece.schema, properties: { ...properties, ...free } };
  const { pool, contains } = containments;
  return contains(pool.of(outer.side, schema), inner).holds === 'yes';
}

/** Returns the parts that a piece applies to, in the inner and the outer schema. */
function partsAt(
  { outer }: Question,
  { child, value }: Piece,
  innerParts: readonly SchemaAt[],
  part: SchemaAt,
): readonly (readonly [SchemaAt, SchemaAt])[] {
  const own = innerParts.flatMap((each) => below(each, ...child!));
  const other = below({ ...part, side: outer.side }, ...child!)[0];
  const isPart = own.length === 1 && other !== undefined && own[0]!.schema !== false;
  return isPart && value !== false ? [[own[0]!, other]] : [];
}
