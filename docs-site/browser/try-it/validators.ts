import type { Json } from '../../samples/sample.ts';
import { loadModule } from '../load-module.ts';
import { asNumbers } from './json/parse.ts';
import type { Params } from './method-data.ts';

/** One thing that is wrong: told in docs-site/README.md. */
export interface Violation {
  /** RFC 6901, into the params or the result. */
  readonly pointer: string;
  readonly message: string;
}

type Validate = (value: unknown) => readonly Violation[];

interface Validators {
  readonly validateParams: Readonly<Record<string, Validate>>;
  readonly validateResult: Readonly<Record<string, Validate>>;
}

const validators = loadModule<Validators>('data/validators.js');

/** Loads the validators once, when a reader begins to try a method. */
export function loadValidators(): Promise<Validators> {
  return validators.load();
}

export async function checkParams(method: string, params: Params): Promise<readonly Violation[]> {
  const { validateParams } = await loadValidators();
  return validateParams[method]?.(asNumbers(params)) ?? [];
}

/** What of a result breaks the document; null where the document says nothing of results. */
export async function checkResult(
  method: string,
  result: Json,
): Promise<readonly Violation[] | null> {
  const { validateResult } = await loadValidators();
  return validateResult[method]?.(asNumbers(result)) ?? null;
}
