import { joinPointer } from '../../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../../common/json/value.ts';
import type { AspectName } from '../kinds/schema-kinds.ts';
import type { SchemaAt } from './place.ts';

/**
 * One thing that a schema says. All its pieces together say what it says; so a schema allows what
 * another does just when each of its pieces does.
 */
export interface Piece {
  readonly aspect: AspectName;
  /** The same for pieces that say the same kind of thing of the same part: "maxLength", "items/0". */
  readonly key: string;
  /** The piece as a schema of its own. */
  readonly schema: Schema;
  /** The document's own value, and where it stands. */
  readonly value: Json;
  readonly pointer: string;
  /** Tokens below the schema to the schema that the piece applies to a part of the value. */
  readonly child: readonly (string | number)[] | null;
  /** The member it is about. */
  readonly member?: string;
}

const PLAIN: readonly (readonly [keyword: string, aspect: AspectName])[] = [
  ['type', 'type'],
  ['enum', 'value'],
  ['const', 'value'],
  ['minimum', 'bound'],
  ['exclusiveMinimum', 'bound'],
  ['maximum', 'bound'],
  ['exclusiveMaximum', 'bound'],
  ['multipleOf', 'multiple-of'],
  ['minLength', 'length'],
  ['maxLength', 'length'],
  ['pattern', 'pattern'],
  ['format', 'format'],
  ['x-format', 'format'],
  ['minItems', 'item-count'],
  ['maxItems', 'item-count'],
  ['uniqueItems', 'unique'],
  ['contains', 'contains'],
  ['propertyNames', 'property-names'],
  ['minProperties', 'property-count'],
  ['maxProperties', 'property-count'],
  ['anyOf', 'variant'],
  ['oneOf', 'variant'],
  ['not', 'schema'],
];

/** What a schema object says, `allOf` left out. */
export function piecesOf({ schema, pointer }: SchemaAt & { schema: JsonObject }): readonly Piece[] {
  const at = (keyword: string) => joinPointer(pointer, keyword);
  const plain = PLAIN.filter(([keyword]) => schema[keyword] !== undefined).map(
    ([keyword, aspect]): Piece => {
      const value = schema[keyword]!;
      const own = { aspect, key: keyword, value, pointer: at(keyword), child: null };
      return { ...own, schema: { [keyword]: value } };
    },
  );
  return [
    ...plain,
    ...conditionOf(schema, pointer),
    ...elementsOf(schema, pointer),
    ...membersOf(schema, pointer),
  ];
}

function conditionOf(schema: JsonObject, pointer: string): readonly Piece[] {
  const { if: test, then, else: otherwise } = schema;
  if (test === undefined || (then === undefined && otherwise === undefined)) return [];
  const value = {
    if: test,
    ...(then === undefined ? {} : { then }),
    ...(otherwise === undefined ? {} : { else: otherwise }),
  };
  const at = joinPointer(pointer, 'if');
  return [{ aspect: 'schema', key: 'if', schema: value, value, pointer: at, child: null }];
}

function elementsOf(schema: JsonObject, pointer: string): readonly Piece[] {
  const { items, additionalItems } = schema;
  if (items === undefined) return [];
  const at = joinPointer(pointer, 'items');
  const common = { aspect: 'items' } as const;
  if (!Array.isArray(items)) {
    return [
      { ...common, key: 'items', schema: { items }, value: items, pointer: at, child: ['items'] },
    ];
  }
  const any = items.map(() => true);
  const first = (items as readonly Json[]).map((value, index): Piece => {
    const own = { items: any.with(index, value as never) };
    const child = ['items', index];
    const key = `items/${index}`;
    return { ...common, key, schema: own, value, pointer: joinPointer(at, index), child };
  });
  if (additionalItems === undefined) return first;
  const rest: Piece = {
    ...common,
    key: 'additionalItems',
    schema: { items: any, additionalItems },
    value: additionalItems,
    pointer: joinPointer(pointer, 'additionalItems'),
    child: ['additionalItems'],
  };
  return [...first, rest];
}

function membersOf(schema: JsonObject, pointer: string): readonly Piece[] {
  const { required, additionalProperties } = schema;
  const each = (keyword: string, aspect: AspectName): readonly Piece[] => {
    const map = schema[keyword];
    return Object.entries(isObject(map) ? map : {}).map(([member, value]): Piece => ({
      aspect,
      key: `${keyword}/${member}`,
      schema: { [keyword]: { [member]: value } },
      value,
      pointer: joinPointer(joinPointer(pointer, keyword), member),
      child: keyword === 'dependencies' ? null : [keyword, member],
      member,
    }));
  };
  const names = Array.isArray(required) ? (required as readonly string[]) : [];
  return [
    ...each('properties', 'schema'),
    ...each('patternProperties', 'pattern-properties'),
    ...each('dependencies', 'dependency'),
    ...names.map((member, index): Piece => ({
      aspect: 'required',
      key: `required/${member}`,
      schema: { required: [member] },
      value: member,
      pointer: joinPointer(joinPointer(pointer, 'required'), index),
      child: null,
      member,
    })),
    ...(additionalProperties === undefined
      ? []
      : [othersOf(schema, joinPointer(pointer, 'additionalProperties'), [])]),
  ];
}

/** What a schema says of members that it does not name; `named` are let through as well. */
export function othersOf(schema: JsonObject, pointer: string, named: readonly string[]): Piece {
  const additionalProperties = schema['additionalProperties'] ?? true;
  const keys = (keyword: string) => {
    const map = schema[keyword];
    return Object.keys(isObject(map) ? map : {}).map((key) => [key, true] as const);
  };
  return {
    aspect: 'additional',
    key: 'additionalProperties',
    schema: {
      properties: Object.fromEntries([
        ...keys('properties'),
        ...named.map((name) => [name, true] as const),
      ]),
      patternProperties: Object.fromEntries(keys('patternProperties')),
      additionalProperties,
    },
    value: additionalProperties,
    pointer,
    child: ['additionalProperties'],
  };
}
