/**
 * Looks for values that one schema allows and another does not, knowing nothing of the comparer: it
 * makes values after the schemas, damages them, and asks Ajv.
 */
import { Ajv, type ValidateFunction } from 'ajv';
import { formats } from '../../../../generator/violations/runtime/formats.js';

export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
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

/** Compiles a schema together with the components of its document, by Ajv. */
export function compile(schema: Schema, components: Components = {}): ValidateFunction {
  const ajv = new Ajv({
    strict: false,
    validateSchema: false,
    logger: false,
    formats: { ...formats },
    unicodeRegExp: true,
  });
  const schemas = Object.entries(components).map(([name, each]) => [name, sayMinItems(each)]);
  return ajv.compile({
    allOf: [sayMinItems(schema)],
    components: { schemas: Object.fromEntries(schemas) as object },
  });
}

// Ajv 8.20 calls an empty list valid where `contains` stands beside a list of `items`; with the
// `minItems` that `contains` implies, it does not.
function sayMinItems(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const { contains, items, minItems = 0 } = (value ?? {}) as Record<string, unknown>;
    if (contains === undefined || !Array.isArray(items)) return value;
    return { ...(value as object), minItems: Math.max(Number(minItems), 1) };
  }) as Schema;
}

const MAX_DEPTH = 5;

export interface InstanceMaker {
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
    return instanceOf(
      maker,
      merge([own, ...branch.map((each) => follow(each, components))]),
      depth + 1,
    );
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
      return textOf(maker, schema);
    case 'array':
      return listOf(maker, schema, depth);
    default:
      return objectOf(maker, schema, depth);
  }
}

const PLAIN: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  '',
  'a',
  '0x0',
  [],
  ['a'],
  {},
  { a: 1 },
];

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

const LETTERS = [...'abcdefABCDEF0123456789xXzZ_ -.:/1111'];

function textOf({ chance }: InstanceMaker, schema: object): string {
  const { minLength = 0, maxLength, pattern } = schema as Record<string, never>;
  const letter = () => LETTERS[Math.floor(chance() * LETTERS.length)]!;
  const most = Math.min(maxLength ?? minLength + 4, minLength + 8);
  const length = minLength + Math.floor(chance() * (most - minLength + 2));
  const free = () => Array.from({ length }, letter).join('');
  if (typeof pattern !== 'string' || chance() < 0.1) return free();
  return textLike(pattern, { chance, letter });
}

/** A text after a pattern, by reading the pattern as a template. */
function textLike(
  source: string,
  { chance, letter }: { readonly chance: () => number; readonly letter: () => string },
): string {
  const alternatives = /^\^?\(([^()]*)\)\$?$/.exec(source)?.[1]?.split('|');
  if (alternatives !== undefined) return alternatives[Math.floor(chance() * alternatives.length)]!;
  const choice = source
    .replace(/\(\?:/g, '(')
    .replace(/\(([^()|]*)\|[^()]*\)/g, (_, first: string) => first);
  const flat = choice.replace(/[()^$]/g, '').split('|');
  const chosen = flat[Math.floor(chance() * flat.length)]!;
  return chosen.replace(
    /(\[[^\]]*\]|\\.|[^\\])(\{(\d+)(?:,(\d*))?\}|[*+?])?/gs,
    (_, atom: string, quantifier: string | undefined, least: string, most: string | undefined) => {
      const isOpen = quantifier === '*' || quantifier === '+' || most === '';
      const from =
        quantifier === '+'
          ? 1
          : least === undefined
            ? quantifier === undefined
              ? 1
              : 0
            : Number(least);
      const to = isOpen ? from + 3 : most === undefined ? Math.max(from, 1) : Number(most);
      const off = chance() < 0.05 ? 1 : 0;
      const count = from + Math.floor(chance() * (to - from + 1)) + off;
      return Array.from({ length: count }, () => characterOf(atom, letter)).join('');
    },
  );
}

function characterOf(atom: string, letter: () => string): string {
  if (!atom.startsWith('[') && !atom.startsWith('\\') && atom !== '.') return atom;
  const expression = new RegExp(`^${atom}$`);
  for (let tries = 0; tries < 60; tries += 1) {
    const candidate = letter();
    if (expression.test(candidate)) return candidate;
  }
  return 'a';
}

function listOf(maker: InstanceMaker, schema: object, depth: number): Json {
  const {
    items,
    additionalItems,
    contains,
    minItems = 0,
    maxItems,
  } = schema as Record<string, never>;
  const tuple: readonly Schema[] = Array.isArray(items) ? items : [];
  const rest: Schema = (Array.isArray(items) ? additionalItems : items) ?? true;
  const most = Math.min(maxItems ?? minItems + tuple.length + 2, minItems + 6);
  const span = Math.max(most - minItems, 0);
  const length = Math.max(
    minItems + Math.floor(maker.chance() * (span + 2)) - (maker.chance() < 0.1 ? 1 : 0),
    0,
  );
  return Array.from({ length }, (_, index) => {
    if (contains !== undefined && maker.chance() < 0.3)
      return instanceOf(maker, contains, depth + 1);
    return instanceOf(maker, tuple[index] ?? rest, depth + 1);
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
  for (const [pattern, each] of Object.entries(
    (at['patternProperties'] ?? {}) as Record<string, Schema>,
  )) {
    if (chance() < 0.5) {
      const key = textLike(pattern, {
        chance,
        letter: () => LETTERS[Math.floor(chance() * LETTERS.length)]!,
      });
      members[key] = instanceOf(maker, each, depth + 1);
    }
  }
  if (chance() < 0.2) {
    const keys = ['zz', 'a', 'ab', 'b', ''];
    members[keys[Math.floor(chance() * keys.length)]!] = instanceOf(maker, additional, depth + 1);
  }
  return members;
}

/** The value with one small damage somewhere. */
export function damage(chance: () => number, value: Json): Json {
  const isDeep = chance() < 0.8;
  if (Array.isArray(value) && value.length > 0 && isDeep) {
    const index = Math.floor(chance() * value.length);
    if (chance() < 0.2) return value.filter((_, each) => each !== index);
    if (chance() < 0.2) return [...value, value[index]!];
    return value.map((each: Json, at) => (at === index ? damage(chance, each) : each));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && isDeep) {
    const entries = Object.entries(value);
    const index = Math.floor(chance() * entries.length);
    if (entries.length > 0 && chance() < 0.3) {
      return Object.fromEntries(entries.filter((_, each) => each !== index));
    }
    if (chance() < 0.15) return { ...value, extra: 1 };
    return Object.fromEntries(
      entries.map(([key, each], at) => [
        key,
        at === index ? damage(chance, each as Json) : (each as Json),
      ]),
    );
  }
  if (typeof value === 'number')
    return [value + 1, value - 1, value + 0.5, -value, value * 2][Math.floor(chance() * 5)]!;
  if (typeof value === 'string' && chance() < 0.7) {
    const variants = [
      `${value}a`,
      `${value}0`,
      value.slice(0, -1),
      value.slice(1),
      value.toUpperCase(),
      value.toLowerCase(),
      '',
    ];
    return variants[Math.floor(chance() * variants.length)]!;
  }
  return PLAIN[Math.floor(chance() * PLAIN.length)]!;
}

export interface Side {
  readonly schema: Schema;
  readonly components: Components;
}

/**
 * A value that `inner` allows and `outer` does not, found within `tries` values; undefined when none
 * of them is one.
 */
export function searchWitness(
  { inner, outer }: { readonly inner: Side; readonly outer: Side },
  { chance, tries }: { readonly chance: () => number; readonly tries: number },
): Json | undefined {
  const isIn = compile(inner.schema, inner.components);
  const isOut = compile(outer.schema, outer.components);
  for (let count = 0; count < tries; count += 1) {
    const side = chance() < 0.7 ? inner : outer;
    let value = instanceOf({ chance, components: side.components }, side.schema);
    for (let damages = Math.floor(chance() * 3); damages > 0; damages -= 1)
      value = damage(chance, value);
    if (isIn(value) && !isOut(value)) return value;
  }
  return undefined;
}
