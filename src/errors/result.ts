import type { RpcError } from './catalog.ts';

/** What a step of the core returns: a value, or why there is none. */
export type Result<T, E = RpcError> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** The result of a check that passed. */
export const PASSED: Result<undefined, never> = { ok: true, value: undefined };

export function ok<T>(value: T): Result<T, never> {
  return { ok: true, value };
}

export function err<E>(error: E): Result<never, E> {
  return { ok: false, error };
}
