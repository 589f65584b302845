import { joinPointer } from '../../../common/json/pointer.ts';
import { type Json, type JsonObject, type Schema } from '../../../common/json/value.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import type { AspectName } from '../kinds/schema-kinds.ts';
import type { SchemaAt } from './place.ts';

type Tokens = readonly (string | number)[];

/**
 * One constraint of a schema. All pieces together are equivalent to the schema, so a schema allows
 * everything that another one allows if and only if each of its pieces does.
 */
export interface Piece {
  readonly aspect: AspectName;
  /** Equal for the same constraint of two schemas: "maxLength", "items/0". */
  readonly key: string;
  /** The piece as a schema of its own. */
  readonly schema: Schema;
  /** The value in the document, and its place. */
  readonly value: Json;
  readonly pointer: string;
  /** The tokens of the subschema that the piece applies to a part of the value, or null. */
  readonly child: Tokens | null;
  /** The member it is about. */
  readonly member?: string;
}

const KEYWORDS: readonly (readonly [aspect: AspectName, ...keywords: readonly string[]])[] = [
  ['type', 'type'],
  ['value', 'enum', 'const'],
  ['bound', 'minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'],
  ['multiple-of', 'multipleOf'],
  ['length', 'minLength', 'maxLength'],
  ['pattern', 'pattern'],
  ['format', 'format', 'x-format'],
  ['item-count', 'minItems', 'maxItems'],
  ['unique', 'uniqueItems'],
  ['contains', 'contains'],
  ['property-names', 'propertyNames'],
  ['property-count', 'minProperties', 'maxProperties'],
  ['variant', 'anyOf', 'oneOf'],
  ['schema', 'not'],
];

/** Returns the pieces of a schema object, except those of `allOf`. */
export function piecesOf(at: SchemaAt & { schema: JsonObject }): readonly Piece[] {
  const { schema } = at;
  return [
    ...KEYWORDS.flatMap(([aspect, ...keywords]) =>
      keywords
        .filter((keyword) => schema[keyword] !== undefined)
        .map((keyword) =>
          pieceAt(at, [keyword], { aspect, schema: { [keyword]: schema[keyword]! } }),
        ),
    ),
    ...conditionOf(at),
    ...itemsOf(at),
    ...membersOf(at),
  ];
}

/** Creates the piece at the given tokens of a schema. */
function pieceAt(
  { schema, pointer }: SchemaAt,
  tokens: Tokens,
  own: Partial<Piece> & Pick<Piece, 'aspect' | 'schema'>,
): Piece {
  return {
    key: tokens.join('/'),
    value: tokens.reduce((value, token) => value[token as 'x'] as JsonObject, schema as JsonObject),
    pointer: tokens.reduce<string>(joinPointer, pointer),
    child: null,
    ...own,
  };
}

function conditionOf(at: SchemaAt & { schema: JsonObject }): readonly Piece[] {
  const keywords = ['if', 'then', 'else'].filter((keyword) => at.schema[keyword] !== undefined);
  if (keywords[0] !== 'if' || keywords.length === 1) return [];
  const value = Object.fromEntries(keywords.map((keyword) => [keyword, at.schema[keyword]!]));
  return [pieceAt(at, ['if'], { aspect: 'schema', schema: value, value })];
}

function itemsOf(at: SchemaAt & { schema: JsonObject }): readonly Piece[] {
  const { items, additionalItems } = at.schema;
  const piece = (tokens: Tokens, schema: Schema) =>
    pieceAt(at, tokens, { aspect: 'items', schema, child: tokens });
  if (items === undefined) return [];
  if (!Array.isArray(items)) return [piece(['items'], { items })];
  const any: readonly Json[] = items.map(() => true);
  return [
    ...items.map((value: Json, index) =>
      piece(['items', index], { items: any.with(index, value) }),
    ),
    ...(additionalItems === undefined
      ? []
      : [piece(['additionalItems'], { items: any, additionalItems })]),
  ];
}

function membersOf(at: SchemaAt & { schema: JsonObject }): readonly Piece[] {
  const { required, additionalProperties } = at.schema;
  const each = (keyword: string, aspect: AspectName, hasChild = true) =>
    Object.entries(objectAt(at.schema, keyword)).map(([member, value]) => {
      const tokens = [keyword, member];
      const schema = { [keyword]: { [member]: value } };
      return pieceAt(at, tokens, { aspect, schema, member, child: hasChild ? tokens : null });
    });
  const names = Array.isArray(required) ? (required as readonly string[]) : [];
  return [
    ...each('properties', 'schema'),
    ...each('patternProperties', 'pattern-properties'),
    ...each('dependencies', 'dependency', false),
    ...names.map((member, index) => {
      const schema = { required: [member] };
      const key = `required/${member}`;
      return pieceAt(at, ['required', index], { aspect: 'required', key, schema, member });
    }),
    ...(additionalProperties === undefined ? [] : [additionalOf(at)]),
  ];
}

function additionalOf(at: SchemaAt & { schema: JsonObject }): Piece {
  const anyAt = (keyword: string) =>
    Object.fromEntries(Object.keys(objectAt(at.schema, keyword)).map((key) => [key, true]));
  const schema = {
    properties: anyAt('properties'),
    patternProperties: anyAt('patternProperties'),
    additionalProperties: at.schema['additionalProperties']!,
  };
  const tokens = ['additionalProperties'];
  return pieceAt(at, tokens, { aspect: 'additional', schema, child: tokens });
}
