import type { Pool } from '../../containment/pool.ts';
import { printBigInts } from '../../../common/json/exact.ts';
import { isObject, type JsonObject, type Schema } from '../../../common/json/value.ts';
import { piecesOf } from './pieces.ts';
import { below, flatten, type Models, type SchemaAt } from './place.ts';
import type { Pair } from './question.ts';

/** Pairs the subschemas for the same part of a value, such as a member or the items. */
export function alignedParts(models: Models, pair: Pair): readonly Pair[] {
  const [old, fresh] = [partsOf(models, pair.old), partsOf(models, pair.new)];
  return [...old].flatMap(([key, place]): readonly Pair[] => {
    const other = fresh.get(key);
    const isPair = other !== undefined && isObject(place.schema) && isObject(other.schema);
    return isPair ? [{ old: place, new: other }] : [];
  });
}

/** Keywords of subschemas for the value itself. */
const BRANCHES = ['then', 'else', 'contains'];
const UNIONS = ['anyOf', 'oneOf'];

/**
 * Pairs the subschemas for the value itself. Changed variants are matched by `partnerOf`; the others
 * in order, if both unions have the same number of them.
 */
export function alignedBranches(models: Models, pool: Pool, pair: Pair): readonly Pair[] {
  const [old, fresh] = [flatten(models, pair.old), flatten(models, pair.new)];
  const nodeOf = ({ side, schema }: SchemaAt) => pool.of(side, schema);
  return [...BRANCHES, ...UNIONS].flatMap((keyword) => {
    const [was, is] = [branchesOf(old, keyword), branchesOf(fresh, keyword)];
    const nodes = { was: new Set(was.map(nodeOf)), is: new Set(is.map(nodeOf)) };
    const changed = was.filter((each) => !nodes.is.has(nodeOf(each)));
    const others = is.filter((each) => !nodes.was.has(nodeOf(each)));
    const marked = changed.flatMap((each) => {
      const partner = partnerOf(each, others);
      return partner === undefined ? [] : [{ old: each, new: partner }];
    });
    const paired = new Set(marked.flatMap((each) => [each.old, each.new]));
    const left = changed.filter((each) => !paired.has(each));
    const right = others.filter((each) => !paired.has(each));
    const ordered = left.map((each, index) => ({ old: each, new: right[index]! }));
    return [...marked, ...(left.length === right.length ? ordered : [])];
  });
}

function branchesOf(parts: ReturnType<typeof flatten>, keyword: string): readonly SchemaAt[] {
  return parts.flatMap((part) => {
    const list = part.schema[keyword];
    if (!Array.isArray(list)) return below(part, keyword);
    return [...list.keys()].flatMap((index) => below(part, keyword, index));
  });
}

function partsOf(models: Models, at: SchemaAt): ReadonlyMap<string, SchemaAt> {
  const parts = new Map<string, SchemaAt>();
  for (const part of flatten(models, at)) {
    for (const { key, child } of piecesOf(part)) {
      const place = child === null ? undefined : below(part, ...child)[0];
      if (place !== undefined && !parts.has(key)) parts.set(key, place);
    }
  }
  return parts;
}

/**
 * Returns the branch that corresponds to a branch: the one with the same reference, title or constants.
 */
export function partnerOf(branch: SchemaAt, others: readonly SchemaAt[]): SchemaAt | undefined {
  const mark = markOf(branch.schema);
  return mark === null ? undefined : others.find((other) => markOf(other.schema) === mark);
}

/** Cached, because a mark is compared with the marks of all other variants. */
const marks = new WeakMap<JsonObject, string | null>();

function markOf(schema: Schema): string | null {
  if (!isObject(schema)) return null;
  const known = marks.get(schema);
  if (known !== undefined) return known;
  const mark = markIn(schema);
  marks.set(schema, mark);
  return mark;
}

function markIn(schema: JsonObject): string | null {
  if (typeof schema['$ref'] === 'string') return schema['$ref'];
  if (typeof schema['title'] === 'string') return `title ${schema['title']}`;
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const constants = Object.entries(properties).filter(
    ([, each]) => isObject(each) && each['const'] !== undefined,
  );
  return constants.length === 0 ? null : printBigInts(constants)!;
}
