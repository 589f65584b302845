import type { Json } from '../../../common/samples/sample.ts';
import { loadModule } from '../site-files.ts';
import { asNumbers } from './json.ts';
import type { Params } from './method-data.ts';

/** A violation of the document by a value (docs-site/README.md). */
export interface Violation {
  /** JSON pointer (RFC 6901) into the params or the result. */
  readonly pointer: string;
  readonly message: string;
}

type Validate = (value: unknown) => readonly Violation[];

interface Validators {
  readonly validateParams: Readonly<Record<string, Validate>>;
  readonly validateResult: Readonly<Record<string, Validate>>;
}

const validators = loadModule<Validators>('data/validators.js');

export function loadValidators(): Promise<Validators> {
  return validators.load();
}

export async function checkParams(method: string, params: Params): Promise<readonly Violation[]> {
  const { validateParams } = await loadValidators();
  return validateParams[method]?.(asNumbers(params)) ?? [];
}

/** Checks a result; returns null when the document does not describe it. */
export async function checkResult(
  method: string,
  result: Json,
): Promise<readonly Violation[] | null> {
  const { validateResult } = await loadValidators();
  return validateResult[method]?.(asNumbers(result)) ?? null;
}
