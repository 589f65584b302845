import type { CompiledError } from './violations.js';

/** Appends errors to a list in place and returns it. */
export function append(
  list: readonly CompiledError[],
  errors: readonly CompiledError[],
): readonly CompiledError[];

/** Compiles a pattern of a schema with `flags`, or without them when it is not valid with them. */
export function pattern(source: string, flags: string): RegExp;

/** Returns the length in characters rather than UTF-16 units (JSON Schema, maxLength). */
export function ucs2length(text: string): number;

/** Compares JSON values deeply. */
export function equal(a: unknown, b: unknown): boolean;

/** Returns the indexes of the first two equal elements of a list, or null. */
export function duplicate(list: readonly unknown[]): readonly [number, number] | null;
