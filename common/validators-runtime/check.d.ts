import type { CompiledValidator, Facts, Violation } from './violations.js';

export type { Violation } from './violations.js';

/** Returns the violations of a value, [] when it is valid. */
export type Validate = (value: unknown) => readonly Violation[];

/** [name, whether it is required, validator or null for any value, expected value in words or null] */
export type ParamRow = readonly [string, boolean, CompiledValidator | null, string | null];

export function checkResult(validate: CompiledValidator | null, facts: Facts): Validate;

export function checkParams(
  structure: 'by-position' | 'by-name' | 'either',
  params: readonly ParamRow[],
  facts: Facts,
): Validate;
