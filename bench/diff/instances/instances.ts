/** Values made after schemas: often valid, by no means always. */
import type { Json } from '../../../common/json/value.ts';
import { textLike, textOf } from './texts.ts';

export type Schema = boolean | { readonly [keyword: string]: unknown };
export type Components = Readonly<Record<string, Schema>>;

/** A seeded source of chance: [0, 1). Mulberry32. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const MAX_DEPTH = 8;

interface InstanceMaker {
  readonly chance: () => number;
  readonly components: Components;
}

/** A value made after a schema: often valid, by no means always. */
export function instanceOf(maker: InstanceMaker, schema: Schema, depth = 0): Json {
  const { chance, components } = maker;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)]!;
  if (typeof schema === 'boolean' || depth > MAX_DEPTH) return pick(PLAIN);
  const at = (keyword: string) => schema[keyword] as never;
  if (typeof schema['$ref'] === 'string') {
    const name = decodeURIComponent(schema['$ref'].split('/').at(-1)!);
    return instanceOf(maker, components[name] ?? true, depth + 1);
  }
  if (schema['const'] !== undefined) return at('const');
  if (Array.isArray(schema['enum'])) return pick(at('enum') as readonly Json[]);
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = schema[keyword];
    if (Array.isArray(branches) && chance() < 0.9) {
      const { [keyword]: _, ...own } = schema;
      return instanceOf(maker, merge([own, pick(branches as Schema[])]), depth);
    }
  }
  if (Array.isArray(schema['allOf'])) {
    const { allOf, ...own } = schema;
    const parts = (allOf as Schema[]).map((part) => follow(part, components));
    return instanceOf(maker, merge([own, ...parts]), depth + 1);
  }
  if (isSchema(schema['if']) && chance() < 0.7) {
    const { if: test, then, else: otherwise, ...own } = schema;
    const branch = (chance() < 0.5 ? [test, then] : [otherwise]).filter(isSchema);
    const parts = branch.map((each) => follow(each, components));
    return instanceOf(maker, merge([own, ...parts]), depth + 1);
  }
  const types = typesOf(schema);
  switch (pick(types)) {
    case 'null':
      return null;
    case 'boolean':
      return chance() < 0.5;
    case 'integer':
      return numberOf(maker, schema, true);
    case 'number':
      return numberOf(maker, schema, chance() < 0.5);
    case 'string':
      return textOf(maker.chance, schema);
    case 'array':
      return listOf(maker, schema, depth);
    default:
      return objectOf(maker, schema, depth);
  }
}

export const PLAIN: readonly Json[] = JSON.parse(
  '[null, true, false, 0, 1, -1, 0.5, "", "a", "0x0", [], ["a"], {}, {"a": 1}]',
) as readonly Json[];

function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null);
}

function follow(schema: Schema, components: Components): Schema {
  let next = schema;
  for (let hops = 0; hops < 5; hops += 1) {
    if (typeof next === 'boolean' || typeof next['$ref'] !== 'string') return next;
    next = components[decodeURIComponent(next['$ref'].split('/').at(-1)!)] ?? true;
  }
  return next;
}

function merge(parts: readonly Schema[]): Schema {
  const merged: Record<string, unknown> = {};
  for (const part of parts) {
    if (typeof part === 'boolean') continue;
    for (const [keyword, value] of Object.entries(part)) {
      const known = merged[keyword];
      if (keyword === 'required' && Array.isArray(known))
        merged[keyword] = [...known, ...(value as [])];
      else if (keyword === 'properties')
        merged[keyword] = { ...(known as object), ...(value as object) };
      else merged[keyword] = value;
    }
  }
  return merged;
}

function typesOf(schema: { readonly [keyword: string]: unknown }): readonly string[] {
  if (typeof schema['type'] === 'string') return [schema['type']];
  if (Array.isArray(schema['type'])) return schema['type'] as string[];
  if (schema['properties'] !== undefined || schema['required'] !== undefined) return ['object'];
  if (schema['items'] !== undefined) return ['array'];
  if (schema['pattern'] !== undefined) return ['string'];
  return ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
}

function numberOf({ chance }: InstanceMaker, schema: object, isWhole: boolean): number {
  const at = (keyword: string) => (schema as Record<string, unknown>)[keyword];
  const edges = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
    .map(at)
    .filter((limit) => typeof limit === 'number');
  const near = edges[Math.floor(chance() * edges.length)] ?? 0;
  const steps = [0, 0, 1, -1, 2, -2, 5, -5, 100];
  const step = isWhole ? steps[Math.floor(chance() * steps.length)]! : chance() * 4 - 2;
  const value = near + step;
  return isWhole ? Math.round(value) : value;
}

function listOf(maker: InstanceMaker, schema: object, depth: number): Json {
  const { items, additionalItems, contains, ...sizes } = schema as Record<string, never>;
  const { minItems = 0, maxItems } = sizes as { minItems?: number; maxItems?: number };
  const tuple: readonly Schema[] = Array.isArray(items) ? items : [];
  const rest: Schema = (Array.isArray(items) ? additionalItems : items) ?? true;
  const most = Math.min(maxItems ?? minItems + tuple.length + 2, minItems + 6);
  const span = Math.max(most - minItems, 0);
  const more = Math.floor(maker.chance() * (span + 2)) - (maker.chance() < 0.1 ? 1 : 0);
  const length = Math.max(minItems + more, 0);
  return Array.from({ length }, (_, index) => {
    const isContained = contains !== undefined && maker.chance() < 0.3;
    return instanceOf(maker, isContained ? contains : (tuple[index] ?? rest), depth + 1);
  });
}

function objectOf(maker: InstanceMaker, schema: object, depth: number): Json {
  const at = schema as Record<string, never>;
  const properties = (at['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const required = (at['required'] ?? []) as readonly string[];
  const additional: Schema = at['additionalProperties'] ?? true;
  const { chance } = maker;
  const share = depth > 2 ? 0.2 : 0.6;
  const members: Record<string, Json> = {};
  for (const key of new Set([...required, ...Object.keys(properties)])) {
    const isWanted = required.includes(key) ? chance() < 0.97 : chance() < share;
    if (isWanted) members[key] = instanceOf(maker, properties[key] ?? additional, depth + 1);
  }
  const patterns = (at['patternProperties'] ?? {}) as Readonly<Record<string, Schema>>;
  for (const [pattern, each] of Object.entries(patterns)) {
    if (chance() < 0.5) members[textLike(pattern, { chance })] = instanceOf(maker, each, depth + 1);
  }
  const more = chance() < 0.2 ? 1 + Math.floor(chance() * 4) : 0;
  for (let count = 0; count < more; count += 1) {
    const keys = ['zz', 'a', 'ab', 'b', ''];
    members[keys[Math.floor(chance() * keys.length)]!] = instanceOf(maker, additional, depth + 1);
  }
  return members;
}
