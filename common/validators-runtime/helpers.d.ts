import type { CompiledError } from './violations.js';

/** Appends errors to a validator's list, in place, and returns it. */
export function append(
  list: readonly CompiledError[],
  errors: readonly CompiledError[],
): readonly CompiledError[];

/** A regular expression of a schema: with the flags, or without where it is not valid with them. */
export function pattern(source: string, flags: string): RegExp;

/** Length in characters rather than UTF-16 units (JSON Schema, maxLength). */
export function ucs2length(text: string): number;

/** Deep equality of JSON values. */
export function equal(a: unknown, b: unknown): boolean;

/** Indexes of the first two equal elements of a list, or null. */
export function duplicate(list: readonly unknown[]): readonly [number, number] | null;
