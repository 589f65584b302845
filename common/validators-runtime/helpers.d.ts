import type { CompiledError, CompiledValidator } from './violations.js';

/** The value takes more calls or work to validate than its size justifies. */
export class TooManyCallsError extends RangeError {}

/**
 * Runs a compiled validator and returns its errors, or null when the value is valid.
 *
 * @throws RangeError when the value is nested too deeply, or takes too many calls or too much work to validate
 */
export function validateBounded(
  validate: CompiledValidator,
  value: unknown,
): readonly CompiledError[] | null;

/** Returns the number of steps of all validations so far, so that a caller can limit those of many. */
export function countedSteps(): number;

/** Counts steps that do not limit the validation in progress, since something else does. */
export function countSteps(amount: number): void;

/**
 * Runs validations that end with TooManyCallsError once `isOver` returns true, which is asked at each step.
 * Within others of this kind, theirs counts.
 */
export function validateUntil<T>(isOver: () => boolean, run: () => T): T;

/** Throws TooManyCallsError if the validations that run have taken too long. */
export function checkTime(): void;

/** Counts a call from one schema to another. */
export function countCall(): void;

/** Counts work other than calls. */
export function countWork(amount: number): void;

/** Counts the work of reading a text. */
export function countText(text: string): void;

/** Checks whether a list of allowed values has a value, in a time that the list does not change. */
export function listed(values: readonly unknown[], value: unknown): boolean;

/** Appends errors to a list in place and returns it. */
export function append(
  list: readonly CompiledError[],
  errors: readonly CompiledError[],
): readonly CompiledError[];

/** Compiles a pattern of a schema with `flags`, or without them when it is not valid with them. */
export function pattern(source: string, flags: string): RegExp;

/** Returns the length in characters rather than UTF-16 units (JSON Schema, maxLength). */
export function ucs2length(text: string): number;

/** Returns the number of members of an object (JSON Schema, maxProperties). */
export function memberCount(object: object): number;

/** Compares a value with a constant of a schema, an object or array. */
export function equal(constant: object, value: unknown): boolean;

/** Returns the indexes of the first two equal elements of a list, or null. */
export function duplicate(list: readonly unknown[]): readonly [number, number] | null;
