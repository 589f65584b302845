import type { Containment } from '../../containment/containment.ts';
import type { Node } from '../../containment/pool.ts';
import { printBigInts } from '../../../common/json/exact.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../../common/json/value.ts';
import { shown } from '../change.ts';
import { partnerOf } from './align.ts';
import { findingOf } from './piece-finding.ts';
import { piecesOf, type Piece } from './pieces.ts';
import type { Direction, Pair, Question, SchemaFinding } from './question.ts';
import { below, flatten, nodeAt, type SchemaAt } from './place.ts';

export interface Explanation {
  readonly findings: readonly SchemaFinding[];
  /** Parts to search for the reason. */
  readonly deeper: readonly Pair[];
}

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
        findings.push(findingOf({ ...question, basis }, piece, confirmed, like));
      }
    }
  }
  return { findings, deeper };
}

/** Returns whether another piece already excludes everything that a piece excludes. */
function isImplied({ containments, inner }: Question, outer: Node, pieces: readonly Piece[]) {
  const { pool, contains } = containments;
  return pieces.some(({ schema }) => {
    const node = pool.of(inner.side, schema);
    return contains(outer, node).holds === 'yes' && contains(pool.nothing, node).holds !== 'yes';
  });
}

const NOTHING_ALLOWED: Containment = { holds: 'no', witness: null };

function toPair({ inner }: Question, own: SchemaAt, other: SchemaAt): Pair {
  return inner.side === 'old' ? { old: own, new: other } : { old: other, new: own };
}

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
  // A schema that allows no other member: each that is gone is reported. Another may refuse its values.
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
  return own.length === 1 && other !== undefined && isObject(value) && isObject(own[0]!.schema)
    ? [[own[0]!, other]]
    : [];
}

/** Explains each branch of the inner union that the outer one excludes. */
function explainVariants(question: Question, piece: Piece, like: Piece | null): Explanation | null {
  const { containments, inner, outer, direction } = question;
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
  const kept = own.filter((each) => !lost.includes(each));
  const free = others.filter((each) => !kept.some((other) => isAlike(each, other)));
  const findings: SchemaFinding[] = [];
  const deeper: Pair[] = [];
  for (const each of lost) {
    const partner =
      partnerOf(each, free) ?? (lost.length === 1 && free.length === 1 ? free[0] : undefined);
    const answer = containments.confirm(contains(whole, within(each)), whole, within(each));
    if (
      partner !== undefined &&
      contains(nodeAt(pool, partner), nodeAt(pool, each)).holds !== 'yes'
    ) {
      deeper.push(toPair(question, each, partner));
    } else {
      const isNull = isObject(each.schema) && each.schema['type'] === 'null';
      const isGone = answer.holds === 'no' && !isNull;
      const aspect = isNull ? 'null' : 'variant';
      const gone = { ...piece, aspect, pointer: outer.pointer } as const;
      const asked = { ...question, inner: each, basis: nodeAt(pool, each) };
      const finding = findingOf(asked, gone, answer, null);
      const value = each.schema as Json;
      findings.push({
        ...finding,
        ...(inner.side === 'old'
          ? { before: value, after: undefined }
          : { before: undefined, after: value }),
        what: isGone ? describeVariant(each, direction, inner.side) : finding.what,
      });
    }
  }
  return { findings, deeper };
}

function describeVariant(each: SchemaAt, direction: Direction, side: SchemaAt['side']): string {
  const name = shown(each.schema as Json, 60);
  if (side === 'old') return `the variant ${name} was removed`;
  return `the ${direction === 'response' ? 'undocumented ' : ''}variant ${name} was added`;
}

/** Returns the only union of the inner schema if it has the other keyword. */
function unionOf({ models, inner }: Question, piece: Piece): Piece | null {
  const unions = flatten(models, inner)
    .flatMap(piecesOf)
    .filter(({ aspect }) => aspect === 'variant');
  return unions.length === 1 && unions[0]!.key !== piece.key ? unions[0]! : null;
}

function isAlike(a: SchemaAt, b: SchemaAt): boolean {
  return printBigInts(a.schema) === printBigInts(b.schema);
}
