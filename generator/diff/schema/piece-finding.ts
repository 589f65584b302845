import type { Containment } from '../../containment/containment.ts';
import { jsonTypes } from '../../containment/goal.ts';
import { listOf, type Node } from '../../containment/pool.ts';
import { printBigInts } from '../../../common/json/exact.ts';
import type { Json } from '../../../common/json/value.ts';
import { shown } from '../change.ts';
import { describeAspect, type AspectName } from '../kinds/schema-kinds.ts';
import type { Piece } from './pieces.ts';
import { flattenVariants } from './place.ts';
import type { Question, SchemaFinding } from './question.ts';
import { describeTypeChange } from './type-finding.ts';

/** A question about one piece of the outer schema. */
interface PieceQuestion extends Question {
  /** What the piece is compared with: the inner schema, or its piece of the same key. */
  readonly basis: Node;
}

/** Returns the finding for a piece that excludes values. */
export function findingOf(
  question: PieceQuestion,
  piece: Piece | null,
  answer: Containment,
  like: Piece | null = null,
): SchemaFinding {
  const { direction, inner, outer } = question;
  const isNarrower = inner.side === 'old';
  const places = {
    old: (isNarrower ? like?.pointer : piece?.pointer) ?? (isNarrower ? inner : outer).pointer,
    new: (isNarrower ? piece?.pointer : like?.pointer) ?? (isNarrower ? outer : inner).pointer,
    before: isNarrower ? like?.value : piece?.value,
    after: isNarrower ? piece?.value : like?.value,
    member:
      piece?.member === undefined
        ? undefined
        : { name: piece.member, of: (isNarrower ? inner : outer).pointer },
  };
  if (answer.holds !== 'no') {
    const reason = answer.holds === 'undecided' ? answer.reason : '';
    const what = `${nameOf(piece)} changed, and its effect could not be decided: ${reason}`;
    return { kind: `${direction}-schema-undecided`, what, ...places };
  }
  const aspect = aspectOf(question, piece);
  const { name, title } = describeAspect(aspect, isNarrower);
  const values = differing(question, piece);
  if (piece?.aspect === 'value' && direction === 'response' && !isNarrower) {
    if (isReplacing(question, piece)) {
      const what = `allows ${fewOf(values)} instead of ${fewOf(listedIn(piece))}`;
      return { kind: VALUE_REPLACED, what, witness: answer.witness, ...places };
    }
  }
  const detail = aspect === 'null' ? '' : detailOf(piece, places, values);
  return {
    kind: `${direction}-${name}`,
    what:
      typeChange(question, piece, values) ??
      describeBriefly(piece, values, isNarrower) ??
      `${title}${detail}`,
    witness: answer.witness,
    ...places,
  };
}

/** Returns "the type changed from number to string", or null if one of the types is still allowed. */
function typeChange(
  { containments: { pool, contains }, inner, basis }: PieceQuestion,
  piece: Piece | null,
  lost: readonly string[],
): string | null {
  if (piece?.aspect !== 'type' || piece.value === undefined) return null;
  const excludes = (schema: Json) => contains(pool.intern({ not: schema }), basis).holds === 'yes';
  if (!excludes({ type: piece.value })) return null;
  const fractions = { allOf: [{ type: 'number' }, { not: { type: 'integer' } }] };
  const isWhole = lost.includes('number') && excludes(fractions);
  const other = lost.map((each) => (each === 'number' && isWhole ? 'integer' : each));
  const own = [piece.value].flat() as readonly string[];
  return describeTypeChange(inner.side, other, own);
}

/** Describes some aspects in fewer words than the title of the kind. */
function describeBriefly(
  piece: Piece | null,
  values: readonly string[],
  isNarrower: boolean,
): string | null {
  if (piece?.aspect === 'required')
    return `the member ${piece.member} became ${isNarrower ? 'required' : 'optional'}`;
  if (piece?.aspect !== 'value' || values.length === 0) return null;
  return isNarrower ? `no longer allows ${fewOf(values)}` : `also allows ${fewOf(values)}`;
}

/** The kind of a change in which a result loses all listed values. */
export const VALUE_REPLACED = 'response-value-replaced';

/** Returns whether the inner schema and a list of values have at most null in common. */
function isReplacing({ containments, basis }: PieceQuestion, { schema }: Piece): boolean {
  const { pool, contains } = containments;
  const isNullOnly = contains(pool.intern({ type: 'null' }), pool.intern(schema)).holds === 'yes';
  const others = { not: schema as Json };
  const allowed = isNullOnly ? others : { anyOf: [others, { type: 'null' }] };
  return contains(pool.intern(allowed), basis).holds === 'yes';
}

function listedIn({ key, value }: Piece): readonly string[] {
  const values = Array.isArray(value) && key === 'enum' ? (value as readonly Json[]) : [value];
  return values.map((each) => printBigInts(each)!);
}

function fewOf(texts: readonly string[]): string {
  return `${texts.slice(0, MAX_LISTED).join(', ')}${texts.length > MAX_LISTED ? ', …' : ''}`;
}

/** Maximum number of values named in one sentence. */
const MAX_LISTED = 8;

function nameOf(piece: Piece | null): string {
  return piece === null ? 'the schema' : (piece.key.split('/')[0] ?? 'the schema');
}

function aspectOf(question: PieceQuestion, piece: Piece | null): AspectName {
  if (piece === null) return 'schema';
  if (piece.aspect !== 'type') return piece.aspect;
  const lost = lostTypes(question, piece);
  return lost.length === 1 && lost[0] === 'null' ? 'null' : 'type';
}

function lostTypes({ containments, basis }: PieceQuestion, piece: Piece): readonly string[] {
  const { pool, contains } = containments;
  const allowed = new Set([piece.value].flat());
  return jsonTypes.filter((type) => {
    const isAllowed = allowed.has(type) || (type === 'number' && allowed.has('integer'));
    return !isAllowed && contains(pool.intern({ not: { type } }), basis).holds === 'no';
  });
}

/** Returns the excluded values or types; at most one value more than is shown. */
function differing(question: PieceQuestion, piece: Piece | null): readonly string[] {
  if (piece?.aspect === 'type') return lostTypes(question, piece);
  if (piece?.aspect !== 'value') return [];
  const { containments, models, inner, basis } = question;
  const texts = new Set(listedIn(piece));
  const { pool, contains } = containments;
  const listed = flattenVariants(models, inner).flatMap(({ schema }) => [
    ...listOf<Json>(schema, 'enum'),
    ...(schema['const'] === undefined ? [] : [schema['const']]),
  ]);
  const found: string[] = [];
  for (const value of listed) {
    if (found.length > MAX_LISTED) break;
    const text = printBigInts(value)!;
    if (texts.has(text)) continue;
    if (contains(basis, pool.intern({ const: value })).holds === 'yes') found.push(text);
  }
  return found;
}

function detailOf(
  piece: Piece | null,
  { before, after }: Pick<SchemaFinding, 'before' | 'after'>,
  values: readonly string[],
): string {
  if (values.length > 0) return `: ${fewOf(values)}`;
  if (piece === null) return '';
  if (piece.member !== undefined) return `: ${piece.member}`;
  const [from, to] = [before, after].map((value) =>
    value === undefined ? 'not set' : shown(value),
  );
  return ` (${nameOf(piece)}: ${from} → ${to})`;
}
