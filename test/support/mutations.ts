/** Mutations of JSON values, one place at a time. The input is not changed. */
import type { Json, JsonObject } from './document.ts';

export interface Mutation {
  /** JSON pointer of the place that was changed. */
  readonly pointer: string;
  readonly what: string;
  readonly value: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const OTHER_TYPES: readonly Json[] = ['text', 42, true, null, [], {}];

export function child(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A copy of `root` in which the place `path` holds `value`; undefined removes the place. */
export function replaceAt(
  root: Json,
  path: readonly (string | number)[],
  value: Json | undefined,
): Json {
  const copy = structuredClone(root);
  if (path.length === 0) return value ?? null;
  let holder = copy as JsonObject;
  for (const key of path.slice(0, -1)) holder = holder[key] as JsonObject;
  const last = path.at(-1)!;
  if (value === undefined) {
    if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else delete holder[last];
  } else holder[last] = value;
  return copy;
}

export interface Place {
  readonly path: readonly (string | number)[];
  readonly pointer: string;
  readonly value: Json;
}

/** Every place of a value, the root included, parents before children; of an array its first item only. */
export function places(root: Json, path: readonly (string | number)[] = [], pointer = ''): Place[] {
  const here: Place = { path, pointer, value: root };
  if (Array.isArray(root)) {
    const first = root[0];
    return first === undefined ? [here] : [here, ...places(first, [...path, 0], child(pointer, 0))];
  }
  if (!isObject(root)) return [here];
  return [
    here,
    ...Object.entries(root).flatMap(([key, value]) =>
      places(value, [...path, key], child(pointer, key)),
    ),
  ];
}

/** The value with one place turned into each other JSON type. */
export function retyped(root: Json, place: Place): Mutation[] {
  return OTHER_TYPES.filter((other) => typeName(other) !== typeName(place.value)).map((other) => ({
    pointer: place.pointer,
    what: `${typeName(place.value)} → ${typeName(other)}`,
    value: replaceAt(root, place.path, other),
  }));
}

/** Variations of a string, as clients get them wrong. */
export function misspelt(root: Json, place: Place): Mutation[] {
  if (typeof place.value !== 'string') return [];
  const text = place.value;
  const misses = [
    '',
    '0x',
    ` ${text}`,
    `${text} `,
    `${text}g`,
    `${text}0`,
    text.slice(0, -1),
    text.replace('0x', ''),
    text.replace('0x', '0X'),
    text.replace('0x', '0x0'),
    text.replace('0x', '-0x'),
    `0x${'f'.repeat(65)}`,
    text.toUpperCase(),
    'LATEST',
    '\u0000',
    'é',
    '1e3',
    '0x1.0',
  ];
  return [...new Set(misses)]
    .filter((miss) => miss !== text)
    .map((miss) => ({
      pointer: place.pointer,
      what: JSON.stringify(miss),
      value: replaceAt(root, place.path, miss),
    }));
}

/** Objects with an unknown member, arrays far too long, numbers out of range. */
export function overdone(root: Json, place: Place): Mutation[] {
  const { value, path, pointer } = place;
  const at = (changed: Json, what: string): Mutation => ({
    pointer,
    what,
    value: replaceAt(root, path, changed),
  });
  if (isObject(value)) return [at({ ...value, unknownMember: 1 }, 'an unknown member')];
  if (Array.isArray(value))
    return [
      at(
        Array.from({ length: 1025 }, () => value[0] ?? 0),
        '1025 items',
      ),
    ];
  if (typeof value === 'number') return [at(-1, 'negative'), at(1.5, 'a fraction')];
  return [];
}

/** The value without one of its object members. */
export function without(root: Json, place: Place): Mutation {
  return { pointer: place.pointer, what: 'removed', value: replaceAt(root, place.path, undefined) };
}
