/** Calls of EVM methods on the networks of the product under test. */
import { expect, inject } from 'vitest';
import { call, httpWire, type RpcAnswer } from '../support/wire.ts';

export type Fields = Readonly<Record<string, unknown>>;

type EvmNetwork = 'evm' | 'archive';

/** Calls a method and returns its result. */
export async function result<T = Fields>(
  method: string,
  params: unknown[],
  network: EvmNetwork = 'evm',
): Promise<T> {
  const answer = await answerOf(method, params, network);
  expect(answer.error).toBeUndefined();
  return answer.result as T;
}

/** Calls a method and returns its error. */
export async function failure(
  method: string,
  params: unknown[],
  network: EvmNetwork = 'evm',
): Promise<NonNullable<RpcAnswer['error']>> {
  const { error } = await answerOf(method, params, network);
  expect(error).toBeDefined();
  return error!;
}

/** Calls a method and returns its response. */
export function answerOf(
  method: string,
  params: unknown[],
  network: EvmNetwork = 'evm',
): Promise<RpcAnswer> {
  return call(httpWire(inject('product').networks[network].http), method, params);
}
