import type { CompiledValidator, Facts, Violation } from './violations.js';

export type { Violation } from './violations.js';

/** Returns the violations of a value, [] when it is valid. */
export type Validate = (value: unknown) => readonly Violation[];

/** [name, whether it is required, validator or null for any value, expected value in words or null] */
export type ParamRow = readonly [string, boolean, CompiledValidator | null, string | null];

/** Returns the violations of params. Nulls that mean "absent" in the document do not violate it. */
export interface ValidateParams {
  (params: unknown): readonly Violation[];
  /** Returns params without those nulls; the same value when there are none. */
  readonly withoutNulls: (params: unknown) => unknown;
}

/** Nulls that mean "absent": members as [pointer, names], and indexes of optional params. */
export interface AbsentNulls {
  readonly members: readonly (readonly [string, readonly string[]])[];
  readonly params: readonly number[];
}

export function checkResult(validate: CompiledValidator | null, facts: Facts): Validate;

export function checkParams(
  structure: 'by-position' | 'by-name' | 'either',
  params: readonly ParamRow[],
  facts: Facts,
  nulls?: AbsentNulls,
): ValidateParams;
