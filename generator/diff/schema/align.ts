import { isObject } from '../../../common/json/value.ts';
import type { Pair } from './explain.ts';
import { piecesOf } from './pieces.ts';
import { below, flatten, type Models, type SchemaAt } from './place.ts';
import type { Pair } from './question.ts';

/** The parts of two schemas that are about the same part of a value: the same member, the elements. */
export function alignedParts(models: Models, pair: Pair): readonly Pair[] {
  const [old, fresh] = [partsOf(models, pair.old), partsOf(models, pair.new)];
  return [...old].flatMap(([key, place]): readonly Pair[] => {
    const other = fresh.get(key);
    const isPair = other !== undefined && isObject(place.schema) && isObject(other.schema);
    return isPair ? [{ old: place, new: other }] : [];
  });
}

/** Variants of unions under the same keyword and at the same place in it. */
export function alignedVariants(models: Models, pair: Pair): readonly Pair[] {
  const [old, fresh] = [variantsOf(models, pair.old), variantsOf(models, pair.new)];
  return [...old].flatMap(([key, place]) => {
    const other = fresh.get(key);
    return other === undefined ? [] : [{ old: place, new: other }];
  });
}

function variantsOf(models: Models, at: SchemaAt): ReadonlyMap<string, SchemaAt> {
  const variants = flatten(models, at).flatMap((part) =>
    ['anyOf', 'oneOf'].flatMap((keyword) => {
      const list = part.schema[keyword];
      const indexes = Array.isArray(list) ? [...list.keys()] : [];
      return indexes.flatMap((index) =>
        below(part, keyword, index).map((place) => [`${keyword}/${index}`, place] as const),
      );
    }),
  );
  return new Map(variants);
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
