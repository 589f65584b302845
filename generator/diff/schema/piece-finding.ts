import type { Containment } from '../../containment/containment.ts';
import { jsonTypes } from '../../containment/goal.ts';
import type { Json } from '../../../common/json/value.ts';
import { shown } from '../change.ts';
import { describeAspect, type AspectName } from '../kinds/schema-kinds.ts';
import type { SchemaFinding } from './finding.ts';
import type { Piece } from './pieces.ts';
import { flatten } from './place.ts';
import type { PieceQuestion } from './question.ts';
import { describeReplacedType } from './replaced-type.ts';

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
  };
  if (answer.holds !== 'no') {
    const reason = answer.holds === 'undecided' ? answer.reason : '';
    const what = `${nameOf(piece)} changed, and it could not be decided what that means: ${reason}`;
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
      describeBriefly({ aspect, isNarrower, member: piece?.member, values }) ??
      `${title}${detail}`,
    witness: answer.witness,
    ...places,
  };
}

function typeChange(
  { containments, inner, basis }: PieceQuestion,
  piece: Piece | null,
  lost: readonly string[],
): string | null {
  if (piece?.aspect !== 'type' || piece.value === undefined) return null;
  const isNarrower = inner.side === 'old';
  return describeReplacedType({ containments, node: basis, type: piece.value, lost, isNarrower });
}

interface Plain {
  readonly aspect: AspectName;
  readonly isNarrower: boolean;
  readonly member: string | undefined;
  readonly values: readonly string[];
}

/** What is said in fewer words than the title of the kind has; null for other aspects. */
function describeBriefly({ aspect, isNarrower, member, values }: Plain): string | null {
  if (aspect === 'required') {
    return `the member ${member} ${isNarrower ? 'cannot be left out any more' : 'may be left out now'}`;
  }
  if (aspect !== 'value' || values.length === 0) return null;
  return isNarrower ? `no longer allows ${fewOf(values)}` : `allows ${fewOf(values)} too`;
}

/** The kind of change where a result can be none of the values that were listed. */
export const VALUE_REPLACED = 'response-value-replaced';

/** Whether nothing but null is allowed by both the inner schema and a list of values. */
function isReplacing({ containments, basis }: PieceQuestion, { schema }: Piece): boolean {
  const { pool, contains } = containments;
  const isNullOnly = contains(pool.intern({ type: 'null' }), pool.intern(schema)).holds === 'yes';
  const others = { not: schema as Json };
  const allowed = isNullOnly ? others : { anyOf: [others, { type: 'null' }] };
  return contains(pool.intern(allowed), basis).holds === 'yes';
}

/** The values that a piece lists, as texts. */
function listedIn({ key, value }: Piece): readonly string[] {
  const values = Array.isArray(value) && key === 'enum' ? (value as readonly Json[]) : [value];
  return values.map((each) => JSON.stringify(each));
}

function fewOf(texts: readonly string[]): string {
  return `${texts.slice(0, MAX_LISTED).join(', ')}${texts.length > MAX_LISTED ? ', …' : ''}`;
}

/** Values named in one sentence. */
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
  const allowed = new Set(Array.isArray(piece.value) ? piece.value : [piece.value]);
  return jsonTypes.filter((type) => {
    const isAllowed = allowed.has(type) || (type === 'number' && allowed.has('integer'));
    return !isAllowed && contains(pool.intern({ not: { type } }), basis).holds === 'no';
  });
}

/** The values of a list, or the types, that are left out; no more than it takes to name some. */
function differing(question: PieceQuestion, piece: Piece | null): readonly string[] {
  if (piece?.aspect === 'type') return lostTypes(question, piece);
  if (piece?.aspect !== 'value') return [];
  const { containments, models, inner, basis } = question;
  const texts = new Set(listedIn(piece));
  const { pool, contains } = containments;
  const listed = flatten(models, inner).flatMap(({ schema }) => [
    ...(Array.isArray(schema['enum']) ? (schema['enum'] as readonly Json[]) : []),
    ...(schema['const'] === undefined ? [] : [schema['const']]),
  ]);
  const found: string[] = [];
  for (const value of listed) {
    if (found.length > MAX_LISTED) break;
    const text = JSON.stringify(value);
    if (texts.has(text)) continue;
    if (contains(basis, pool.intern({ const: value })).holds === 'yes') found.push(text);
  }
  return found;
}

function detailOf(
  piece: Piece | null,
  { before, after }: { readonly before?: Json | undefined; readonly after?: Json | undefined },
  values: readonly string[],
): string {
  if (values.length > 0) return `: ${fewOf(values)}`;
  if (piece === null) return '';
  if (piece.member !== undefined) return `: ${piece.member}`;
  const name = nameOf(piece);
  return ` (${name}: ${shown(before)} → ${shown(after)})`;
}
