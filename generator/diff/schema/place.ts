import type { Pool, Side } from '../../containment/pool.ts';
import { joinPointer, splitPointer } from '../../../common/json/pointer.ts';
import { isObject, isSchema, type JsonObject, type Schema } from '../../../common/json/value.ts';
import type { Model } from '../../model/model.ts';
import { componentOf } from '../../model/type-names.ts';

/** A schema of one of the two documents, and its place. */
export interface SchemaAt {
  readonly side: Side;
  readonly schema: Schema;
  readonly pointer: string;
}

export interface Models {
  readonly old: Model;
  readonly new: Model;
}

/** Follows references; returns other schemas unchanged. */
export function follow(models: Models, place: SchemaAt): SchemaAt {
  const seen = new Set<string>();
  let at = place;
  for (let name = componentOf(at.schema); name !== null; name = componentOf(at.schema)) {
    const target = models[at.side].schemas.get(name);
    if (target === undefined || seen.has(name)) return at;
    seen.add(name);
    at = { side: at.side, schema: target.schema, pointer: target.pointer };
  }
  return at;
}

/** Returns the schema objects that apply to a value at once: the schema and the parts of `allOf`. */
export function flatten(
  models: Models,
  place: SchemaAt,
): readonly (SchemaAt & { schema: JsonObject })[] {
  const parts: (SchemaAt & { schema: JsonObject })[] = [];
  const seen = new Set<string>();
  const ahead = [place];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const at = follow(models, next);
    if (seen.has(at.pointer) || !isObject(at.schema)) continue;
    seen.add(at.pointer);
    parts.push({ ...at, schema: at.schema });
    const { allOf } = at.schema;
    if (!Array.isArray(allOf)) continue;
    for (const index of allOf.keys()) {
      ahead.push(...below(at, 'allOf', index));
    }
  }
  return parts;
}

/** Returns what `flatten` returns for a schema and for all variants of its unions. */
export function flattenVariants(models: Models, at: SchemaAt): ReturnType<typeof flatten> {
  const parts = new Map<string, ReturnType<typeof flatten>[number]>();
  // Iterating an array includes elements that are added meanwhile.
  const ahead = [at];
  for (const next of ahead) {
    for (const part of flatten(models, next)) {
      if (parts.has(part.pointer)) continue;
      parts.set(part.pointer, part);
      for (const keyword of ['anyOf', 'oneOf']) {
        const list = part.schema[keyword];
        if (!Array.isArray(list)) continue;
        for (const index of list.keys()) ahead.push(...below(part, keyword, index));
      }
    }
  }
  return [...parts.values()];
}

/** Returns the schema at some tokens below another, or an empty list. */
export function below(at: SchemaAt, ...tokens: readonly (string | number)[]): readonly SchemaAt[] {
  let value: unknown = at.schema;
  let { pointer } = at;
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return [];
    value = (value as Readonly<Record<string | number, unknown>>)[token];
    pointer = joinPointer(pointer, token);
  }
  return isSchema(value) ? [{ side: at.side, schema: value, pointer }] : [];
}

export function nodeAt(pool: Pool, { side, schema }: SchemaAt) {
  return pool.of(side, schema);
}

/** Returns the path of a member within a value: ".filters[].memcmp". */
export function pathOf(tokens: readonly string[]): string {
  let path = '';
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]!;
    const next = tokens[index + 1];
    const isNumber = next !== undefined && /^\d+$/.test(next);
    if (token === 'properties' && next !== undefined) path += member(next);
    else if (token === 'patternProperties' && next !== undefined) path += `[/${next}/]`;
    else if (token === 'additionalProperties') path += '.*';
    else if (token === 'items') path += isNumber ? `[${next}]` : '[]';
    else if (token === 'additionalItems') path += '[]';
    const skips = ['properties', 'patternProperties', 'allOf', 'anyOf', 'oneOf', 'dependencies'];
    if (skips.includes(token) || (token === 'items' && isNumber)) index += 1;
  }
  return path;
}

function member(name: string): string {
  return /^[\w$-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** Returns the component schema a pointer is in and the path within it, or null. */
export function componentAt(
  pointer: string,
): { readonly name: string; readonly path: string } | null {
  const [components, kind, name, ...rest] = splitPointer(pointer);
  if (components !== 'components' || kind !== 'schemas' || name === undefined) return null;
  return { name, path: pathOf(rest) };
}
