import type { CompiledValidator, Facts, Violation } from './violations.js';

export type { Violation } from './violations.js';

/** Says what is wrong with a value; nothing ([]) when it is valid. */
export type Validate = (value: unknown) => readonly Violation[];

/** [name, is required, validator or null where anything goes, what it is or null] */
export type ParamRow = readonly [string, boolean, CompiledValidator | null, string | null];

export function checkResult(validate: CompiledValidator | null, facts: Facts): Validate;

export function checkParams(
  structure: 'by-position' | 'by-name' | 'either',
  params: readonly ParamRow[],
  facts: Facts,
): Validate;
